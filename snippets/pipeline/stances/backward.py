"""fail_on_recompile does not stop the first backward call from compiling."""

import torch
from functorch.compile import make_boxed_func
from torch._dynamo.backends.common import aot_autograd


def compiler(name):
    def keep_graph(graph_module, example_inputs):
        print("compiles the", name, "graph")
        graphs.append(name)
        return make_boxed_func(graph_module.forward)

    return keep_graph


graphs = []
backend = aot_autograd(fw_compiler=compiler("forward"), bw_compiler=compiler("backward"))
x = torch.ones(4, requires_grad=True)
loss = torch.compile(lambda x: (x.sin() * 2).sum(), backend=backend)(x)
with torch.compiler.set_stance("fail_on_recompile"):
    print("fail_on_recompile is on")
    loss.backward()

# region checks
assert graphs == ["forward", "backward"]
# endregion

"""A pass that removes a multiplication by 1, in a backend that prints the graph."""

# region copy
import torch
from functorch.compile import make_boxed_func
from torch._dynamo.backends.common import aot_autograd  # private


def remove_times_one(graph_module, example_inputs):
    for node in graph_module.graph.nodes:
        if node.target is torch.ops.aten.mul.Tensor and node.args[1] == 1:
            node.replace_all_uses_with(node.args[0])
    graph_module.graph.eliminate_dead_code()
    graph_module.recompile()
    print(graph_module.code)
    return make_boxed_func(graph_module.forward)


backend = aot_autograd(fw_compiler=remove_times_one)
torch.compile(lambda x: torch.sin(x * 1), backend=backend)(torch.ones(3))
# endregion

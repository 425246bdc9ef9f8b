"""A step with a graph break: its backward graphs with and without compiled autograd."""

import torch
from functorch.compile import make_boxed_func
from torch._dynamo.backends.common import aot_autograd

from compile_lessons import Table, show


def step(x, w):
    y = torch.tanh(x * w)
    torch._dynamo.graph_break()
    torch.sin(y * w).sum().backward()


def keep_graph(graph_module, example_inputs):
    graphs.append(" ".join(node.name for node in graph_module.graph.nodes if node.op == "call_function"))
    return make_boxed_func(graph_module.forward)


rows, gradients = [], []
for on in (False, True):
    torch.compiler.reset()
    graphs, w = [], torch.ones(4, requires_grad=True)
    with torch._dynamo.config.patch(compiled_autograd=on):
        torch.compile(step, backend=aot_autograd(fw_compiler=keep_graph))(torch.ones(4), w)
    rows += [["on" if on else "off", operators] for operators in graphs[2:]]  # after two forward graphs
    gradients.append(w.grad)
show(Table(["compiled autograd", "operators of a backward graph"], rows))
# region checks
assert [row[0] for row in rows] == ["off", "off", "on"]
torch.testing.assert_close(*gradients)
# endregion

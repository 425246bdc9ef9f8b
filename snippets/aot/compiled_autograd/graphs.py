"""A step with a graph break: its backward graphs with and without compiled autograd."""

import torch
from functorch.compile import make_boxed_func
from torch._dynamo.backends.common import aot_autograd  # private: no public name

from compile_lessons import Table, show


def step(x, w):
    y = torch.tanh(x * w)
    torch._dynamo.graph_break()
    torch.sin(y * w).sum().backward()


graphs = []


def keep_operators(traced, example_inputs):
    calls = [node.name for node in traced.graph.nodes if node.op == "call_function"]
    graphs.append(" ".join(calls))
    return make_boxed_func(traced.forward)


backend = aot_autograd(fw_compiler=keep_operators)
rows = []
gradients = []
for setting, on in (("off", False), ("on", True)):
    torch.compiler.reset()
    graphs.clear()
    torch._dynamo.config.compiled_autograd = on
    w = torch.ones(4, requires_grad=True)
    torch.compile(step, backend=backend)(torch.ones(4), w)
    gradients.append(w.grad)
    _, _, *backward_graphs = graphs  # after two forward graphs
    rows.extend([setting, operators] for operators in backward_graphs)
show(Table(["compiled autograd", "operators of a backward graph"], rows))
# region checks
assert [row[0] for row in rows] == ["off", "off", "on"]
torch.testing.assert_close(*gradients)
# endregion

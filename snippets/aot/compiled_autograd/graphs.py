"""A training step with a graph break: backward graphs with and without compiled autograd."""

import torch
from functorch.compile import make_boxed_func
from torch._dynamo.backends.common import aot_autograd

from compile_lessons import Table, show


def loss(x, w):
    y = torch.tanh(x * w)
    torch._dynamo.graph_break()
    return torch.sin(y * w).sum()


def step(x, w):
    loss(x, w).backward()


def keep(graph_module, example_inputs):
    graphs.append([node.name for node in graph_module.graph.nodes if node.op == "call_function"])
    return make_boxed_func(graph_module.forward)


rows, counts, gradients = [], {}, []
for on in (False, True):
    torch.compiler.reset()
    graphs, w = [], torch.ones(4, requires_grad=True)
    with torch._dynamo.config.patch(compiled_autograd=on):
        torch.compile(step, backend=aot_autograd(fw_compiler=keep))(torch.ones(4), w)
    counts[on] = len(graphs) - 2  # the first two are forward graphs
    rows += [["on" if on else "off", " ".join(operators)] for operators in graphs[2:]]
    gradients.append(w.grad)

show(Table(["compiled autograd", "operators of a backward graph"], rows))
without, with_it = counts[False], counts[True]
assert (without, with_it) == (2, 1)
torch.testing.assert_close(*gradients)

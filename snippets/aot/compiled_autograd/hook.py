"""A hook on a parameter becomes part of the backward graph."""

import torch
from functorch.compile import make_boxed_func
from torch._dynamo.backends.common import aot_autograd


def step(x, w):
    torch.sin(x * w).sum().backward()


def keep(graph_module, example_inputs):
    graphs.append([node.name for node in graph_module.graph.nodes if node.op == "call_function"])
    return make_boxed_func(graph_module.forward)


inside = []
for on in (False, True):
    torch.compiler.reset()
    graphs, w = [], torch.ones(4, requires_grad=True)
    w.register_hook(lambda gradient: gradient.clamp(-0.5, 0.5))
    with torch._dynamo.config.patch(compiled_autograd=on):
        torch.compile(step, backend=aot_autograd(fw_compiler=keep))(torch.ones(4), w)
    print("on: " if on else "off:", " ".join(graphs[1]), w.grad)
    inside.append("clamp" in graphs[1])

assert inside == [False, True] and torch.equal(w.grad, torch.full((4,), 0.5))

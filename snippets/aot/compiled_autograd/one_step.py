"""A training step in one graph, with trace_autograd_ops."""

import torch
from functorch.compile import make_boxed_func
from torch._dynamo.backends.common import aot_autograd

torch._dynamo.config.trace_autograd_ops = True


def step(x, w):
    loss = torch.sin(x * w).sum()
    [gradient] = torch.autograd.grad(loss, w)
    return w.detach() - 0.1 * gradient


def keep_graph(graph_module, example_inputs):
    graphs.append(graph_module)
    return make_boxed_func(graph_module.forward)


graphs, x, w = [], torch.ones(4), torch.ones(4, requires_grad=True)
updated = torch.compile(step, backend=aot_autograd(fw_compiler=keep_graph), fullgraph=True)(x, w)
print(graphs[0].code.strip())
# region checks
assert len(graphs) == 1 and "cos" in graphs[0].code
torch.testing.assert_close(updated, step(x, w))
# endregion

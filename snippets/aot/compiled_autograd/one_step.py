"""A training step in one graph, with trace_autograd_ops."""

import torch

from compile_lessons import capture

torch._dynamo.config.trace_autograd_ops = True


def step(x, w):
    loss = torch.sin(x * w).sum()
    [gradient] = torch.autograd.grad(loss, w)
    return w.detach() - 0.1 * gradient


x = torch.ones(4)
w = torch.ones(4, requires_grad=True)
[graph] = capture(step, fullgraph=True, until="aot")(x, w).graphs
print(graph.forward.code)  # the forward graph is the whole step
# region checks
assert "cos" in graph.forward.code  # the derivative of sin
compiled = torch.compile(step, fullgraph=True, backend="aot_eager")
torch.testing.assert_close(compiled(x, w), step(x, w))
# endregion

"""A custom autograd function is traced: its backward is in the backward graph."""

import torch
from functorch.compile import make_boxed_func
from torch._dynamo.backends.common import aot_autograd


class ClippedSquare(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x

    @staticmethod
    def backward(ctx, gradient):
        [x] = ctx.saved_tensors
        return (2 * x * gradient).clamp(-1, 1)


def keep_graph(graph_module, example_inputs):
    graphs.append(graph_module)
    return make_boxed_func(graph_module.forward)


graphs, x = [], torch.ones(3, requires_grad=True)
compiled = torch.compile(ClippedSquare.apply, backend=aot_autograd(fw_compiler=keep_graph), fullgraph=True)
compiled(x).sum().backward()
print(graphs[1].code.strip())
# region checks


class Printing(ClippedSquare):
    @staticmethod
    def backward(ctx, gradient):
        print("backward")
        return gradient


try:
    torch.compile(Printing.apply, backend="eager", fullgraph=True)(x)
except torch._dynamo.exc.Unsupported:
    graphs.append(None)
assert len(graphs) == 3  # `print` in the backward method can't be traced
assert "clamp" in graphs[1].code and x.grad.tolist() == [1, 1, 1]
# endregion

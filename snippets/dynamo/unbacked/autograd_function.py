# /// lesson
# env = {TORCH_LOGS = "-dynamo"}
# ///
"""Compute a scale in torch.autograd.Function: as a number, and as a tensor."""

import torch


# region function
class Round(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, scale_of):
        scale = scale_of(x)
        return torch.round(x / scale) * scale

    @staticmethod
    def backward(ctx, gradient):
        return gradient, None


def as_number(x):
    return x.abs().max().item() / 127


def as_tensor(x):
    return x.abs().max() / 127


# endregion
compiled = torch.compile(Round.apply, backend="eager", fullgraph=True)
for scale_of in (as_number, as_tensor):
    x = torch.linspace(-1, 1, 9, requires_grad=True)
    try:
        compiled(x, scale_of).sum().backward()
        print(f"{scale_of.__name__}: no error")
    except torch._dynamo.exc.InternalTorchDynamoError as error:
        message = str(error).partition(" (FakeTensor")[0]
        print(f"{scale_of.__name__}: {message}")

# region checks
assert "PendingUnbackedSymbolNotFound" in message
assert x.grad.equal(torch.ones(9))
# endregion

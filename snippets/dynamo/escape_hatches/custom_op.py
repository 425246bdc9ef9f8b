"""A custom operator that takes the factor as an argument follows its changes."""

import torch

factor = 2.0


@torch.library.custom_op("course::scaled", mutates_args=())
def scaled(x: torch.Tensor, factor: float) -> torch.Tensor:
    return torch.relu(x) * factor


@scaled.register_fake
def _(x, factor):
    return torch.empty_like(x)


@torch.compile(backend="aot_eager", fullgraph=True)
def model(x):
    return scaled(x, factor) + 1


for factor in (2.0, 10.0):
    print(f"factor {factor}: {model(torch.ones(1)).item()}")

# region checks
assert model(torch.ones(1)) == 11.0


@torch.library.custom_op("course::noise", mutates_args=())
def noise(x: torch.Tensor) -> torch.Tensor:
    calls.append(x)
    return x + 1


def called_twice(x):
    return noise(x) + noise(x).sin()


def unused(x):
    noise(x)
    return x * 2


noise.register_fake(torch.empty_like)
noise.register_autograd(lambda ctx, gradient: gradient)
calls = []
counts = []
for function in (called_twice, unused):
    for training in (True, False):
        torch.compiler.reset()
        compiled = torch.compile(function, backend="aot_eager", fullgraph=True)
        calls.clear()
        compiled(torch.ones(1, requires_grad=training))
        counts.append(len(calls))
# two calls in training are merged, and an unused one is dropped
assert counts == [1, 2, 0, 0]
# endregion

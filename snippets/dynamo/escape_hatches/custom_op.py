"""A custom operator that takes the factor as an argument follows its changes."""

import torch

factor = 2.0


@torch.library.custom_op("course::scaled", mutates_args=())
def scaled(x: torch.Tensor, factor: float) -> torch.Tensor:
    return torch.relu(x) * factor


@scaled.register_fake
def _(x, factor):
    return torch.empty_like(x)


compiled = torch.compile(lambda x: scaled(x, factor) + 1, backend="aot_eager", fullgraph=True)
for factor in (2.0, 10.0):
    print(f"factor {factor}: {compiled(torch.ones(1)).item()}")

# region checks
assert compiled(torch.ones(1)) == 11.0
# endregion

"""A distribution with an invalid scale, before and after torch.compile is used."""

import torch
from torch.distributions import Normal


def make(**options):
    try:
        return (
            Normal(0.0, torch.tensor(-1.0), **options)
            .log_prob(torch.tensor(0.0))
            .item()
        )
    except ValueError as error:
        return f"ValueError: {str(error).partition(' (Tensor')[0]}"


print("before:", make())
torch.compile(torch.sin)
print("after:", make())
print("with validate_args=True:", make(validate_args=True))

# region checks
assert torch.distributions.Distribution._validate_args is False
assert make() != make() and "scale" in make(
    validate_args=True
)  # NaN isn't equal to itself
# endregion

"""Both branches are traced, one of them runs."""

import torch


@torch.library.custom_op("course::expensive", mutates_args=())
def expensive(x: torch.Tensor) -> torch.Tensor:
    print("    the expensive side runs")
    return x * x


@expensive.register_fake
def _(x):
    return torch.empty_like(x)


def step(x):
    return torch.cond(x.sum() > 0, lambda x: expensive(x), lambda x: -x, (x,))


compiled = torch.compile(step, backend="eager", fullgraph=True)
for value in (3.0, -3.0):
    print("value", value)
    print("   ", compiled(torch.full((2,), value)))

# region checks
assert compiled(torch.full((2,), -3.0)).tolist() == [3.0, 3.0]
# endregion

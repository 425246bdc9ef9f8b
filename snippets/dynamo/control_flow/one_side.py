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
    result = compiled(torch.full((2,), value))
    print("   ", result)
    assert torch.equal(result, torch.full((2,), 9.0 if value > 0 else 3.0))

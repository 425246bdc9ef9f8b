"""A custom operator that declares what it changes."""

# region copy
import torch


@torch.library.custom_op("lesson::bump", mutates_args={"x"})
def bump(x: torch.Tensor) -> torch.Tensor:
    x.add_(1)
    return x.sum()


@bump.register_fake
def _(x):
    return x.new_empty(())


torch.library.opcheck(bump, (torch.ones(1),))  # raises if the declaration is wrong
# endregion


@torch.compile(backend="aot_eager", fullgraph=True)
def bump_then_multiply(x):
    y = x * 1
    bump(y)
    return y * 10


y = bump_then_multiply(torch.ones(1))
print(y)
# region checks
assert y.item() == 20
# endregion

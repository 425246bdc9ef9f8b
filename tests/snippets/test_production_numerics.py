"""What docs/production/numerics.md states and its snippets don't assert themselves."""

import torch


def test_a_bound_that_float32_can_hold_keeps_the_sign() -> None:
    torch.compiler.reset()
    x = torch.tensor([3e9, -3e9, 1.5, 2e9, float("nan")])
    for most, first in (2**31 - 1, -(2**31)), (2**31 - 128, 2**31 - 128):

        def to_int(x: torch.Tensor, most: int = most) -> torch.Tensor:
            return x.nan_to_num().clamp(-(2**31), most).to(torch.int32)

        assert to_int(x)[0] == first
    assert torch.equal(torch.compile(to_int)(x), to_int(x))

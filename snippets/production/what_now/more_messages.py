# /// lesson
# needs = ["compiler"]
# ///
"""Two messages that only Inductor raises: a wrong fake function, and forward-mode differentiation."""

import torch
import torch.autograd.forward_ad as forward_ad


@torch.library.custom_op("lesson::transposed", mutates_args=())
def transposed(x: torch.Tensor) -> torch.Tensor:
    return x.t().contiguous()


@transposed.register_fake
def _(x):
    return torch.empty_like(x)  # wrong. Fix: return x.new_empty(x.shape[::-1])


@torch.library.custom_op("lesson::largest", mutates_args=())
def largest(x: torch.Tensor) -> torch.Tensor:
    return x.max()


@largest.register_fake
def _(x):
    return x.new_empty(1)  # wrong. Fix: return x.new_empty(())


def first_line(function, *args):
    try:
        torch.compile(function)(*args)
    except (AssertionError, NotImplementedError) as error:
        return f"{type(error).__name__}: {str(error).splitlines()[0].partition('. ')[0]}"


x, weight = torch.ones(2, 3), torch.ones(3, 3)
messages = [first_line(lambda x: operator(x) * 2, x) for operator in (transposed, largest)]
with forward_ad.dual_level():
    messages.append(first_line(lambda x: x @ weight, forward_ad.make_dual(x, x)))
print(*messages, sep="\n")
# region checks
assert "expected size" in messages[0] and "wrong number of dimensions" in messages[1] and "forward AD" in messages[2]
# endregion

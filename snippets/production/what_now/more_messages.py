# /// lesson
# needs = ["compiler"]
# ///
"""Five messages that the backend eager doesn't raise: wrong fake functions, and differentiation from outside."""

import torch
from torch.autograd.forward_ad import dual_level, make_dual, unpack_dual


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


def first_line(call, *inputs):
    try:
        call(*inputs)
    except (AssertionError, NotImplementedError, RuntimeError) as error:
        return f"{type(error).__name__}: {str(error).splitlines()[0].partition('. ')[0]}"


x, weights = torch.ones(2, 3), (torch.ones(3, 3), torch.nn.Parameter(torch.ones(3, 3)))
messages = [first_line(torch.compile(operator), x) for operator in (transposed, largest)]
with dual_level():
    messages += [first_line(torch.compile(torch.mm), make_dual(x, x), weight) for weight in weights]
    without_an_error = unpack_dual(torch.compile(torch.sin)(make_dual(x, x))).tangent
messages.append(first_line(torch.func.vmap(torch.compile(torch.sin, fullgraph=True)), x))
print(*messages, f"the tangent of a compiled sin: {without_an_error}", sep="\n")
# region checks
assert without_an_error is None
parts = "expected size", "wrong number of dimensions", "Trying to use forward AD", "implement the jvp", "functorch"
assert all(part in message for part, message in zip(parts, messages, strict=True))
# endregion

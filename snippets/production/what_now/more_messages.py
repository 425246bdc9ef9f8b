# /// lesson
# needs = ["compiler"]
# ///
"""Six messages: wrong fake functions, and differentiation from outside."""

import torch
from torch.autograd.forward_ad import dual_level, make_dual, unpack_dual


# region operators
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


# endregion
def print_message(call, *inputs):
    try:
        call(*inputs)
    except (AssertionError, NotImplementedError, RuntimeError) as error:
        first_line = str(error).splitlines()[0]
        print(f"{type(error).__name__}: {first_line.partition('. ')[0]}")


# region calls
x = torch.ones(2, 3)
weight = torch.ones(3, 3)
print_message(torch.compile(transposed), x)
print_message(torch.compile(largest), x)
with dual_level():
    dual = make_dual(x, x)
    print_message(torch.compile(torch.mm), dual, weight)
    print_message(torch.compile(torch.mm), dual, torch.nn.Parameter(weight))
    tangent = unpack_dual(torch.compile(torch.sin)(dual)).tangent
print_message(torch.func.vmap(torch.compile(torch.sin, fullgraph=True)), x)
with torch.inference_mode():
    kept = torch.ones(2, 3)
print_message(torch.compile(torch.mul), kept, torch.nn.Parameter(x))
print(f"the tangent of a compiled sin: {tangent}")
# endregion

# region checks
assert tangent is None
# endregion

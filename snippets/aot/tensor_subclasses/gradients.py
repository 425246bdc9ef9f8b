"""A loss that uses one of two outputs, both of a wrapper subclass."""

import torch
from _wrapper import Wrapped

from compile_lessons import Table, show


# region functions
def two_outputs(weight):
    return weight * weight, weight * 2


def other_detached(weight):
    return weight * weight, (weight * 2).detach()


def use_both(first, second):
    (first + second).sum().backward()


def use_first(first, second):
    first.sum().backward()


def plain_gradient(first, second):
    (first + second).backward(torch.ones(4))


def gradient_of_the_class(first, second):
    (first + second).backward(Wrapped(torch.ones(4)))


# endregion
def gradient(function, backward):
    """Return the weight's gradient, or the line of the error that says why not."""
    weight = Wrapped(torch.ones(4), requires_grad=True)
    try:
        backward(*function(weight))
    except RuntimeError as error:
        lines = str(error).splitlines()
        return next(line for line in lines if line.startswith("Expected"))
    return f"grad {weight.grad.inner[0].item():g}"


programs = {
    "both outputs used": (two_outputs, use_both),
    "one output used": (two_outputs, use_first),
    "the other one detached": (other_detached, use_first),
    "a plain gradient": (two_outputs, plain_gradient),
    "a gradient of the class": (two_outputs, gradient_of_the_class),
}
rows = []
for name, (function, backward) in programs.items():
    compiled = torch.compile(function, backend="aot_eager")
    rows.append([name, gradient(function, backward), gradient(compiled, backward)])
show(Table(["program", "eager", "compiled"], rows))
# region checks
assert [row[1] for row in rows] == ["grad 4", "grad 2", "grad 2", "grad 4", "grad 4"]
assert [row[2] == row[1] for row in rows] == [True, False, True, False, True]
assert rows[1][2].startswith("Expected a Wrapped tangent but got a plain Tensor")
# endregion

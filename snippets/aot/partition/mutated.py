"""An input changed in place between forward and backward: fine in eager, an error compiled."""

import textwrap

import torch


def twice_sigmoid(x):
    return torch.sigmoid(x) * 2


def backward_after_change(function):
    x = torch.ones(4, requires_grad=True)
    y = function(x)
    with torch.no_grad():
        x -= 0.5  # as an optimizer does
    try:
        y.sum().backward()
        return f"backward done: {x.grad}"
    except RuntimeError as error:
        return f"RuntimeError: {error}"


compiled = torch.compile(twice_sigmoid, backend="aot_eager_decomp_partition")
outcomes = [backward_after_change(function) for function in (twice_sigmoid, compiled)]
print(*(textwrap.fill(outcome, 90) for outcome in outcomes), sep="\n\n")
assert outcomes[0].startswith("backward done")
assert "modified by an inplace operation" in outcomes[1] and "is at version 1; expected version 0" in outcomes[1]

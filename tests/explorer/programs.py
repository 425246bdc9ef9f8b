"""What the explorer's tests compile."""

import torch


def with_a_break(x):
    """A docstring with </script><b>HTML</b> in it."""
    y = torch.sin(x) + 1
    torch._dynamo.graph_break()
    return torch.cos(y) * 2


def step(x, w):
    h = torch.relu(x @ w)
    return (h * h).mean()


def of_any_size(x):
    y = x.exp()
    if x.shape[0] > 4:
        y = y + 1
    return y


def twice(x, w):
    a = (x @ w).relu()
    return (a @ w).relu()


def line(function, text: str) -> int:
    """Return the number of the function's line that holds ``text``."""
    import inspect

    lines, first = inspect.getsourcelines(function)
    (number,) = [number for number, line in enumerate(lines, first) if text in line]
    return number

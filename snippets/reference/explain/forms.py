"""Forms of a call's arguments, and which calls recompile."""

import torch
from _command import typed


def scaled(x, scale=2.0):
    return x * scale


def make_calls():
    x = torch.ones(8)
    return [
        (x, 3.0),  # a tuple: arguments
        {"x": x, "scale": 3.0},  # a dict: keywords
        ((x,), {"scale": 3.0}),  # a tuple and a dict: both
        x,  # anything else: one argument
        torch.ones(16),
        torch.ones(24),
    ]


if __name__ == "__main__":
    status = typed(f"{__file__}:scaled", "--calls", "make_calls")

# region checks
if __name__ == "__main__":
    assert status == 0
# endregion

"""An example."""

import torch

from compile_lessons import capture, show

# region short


def scaled(x):
    return x * 2


breaks = capture(scaled, until="dynamo")(torch.ones(3)).breaks
show(breaks)
# endregion
# region checks
assert len(breaks) == 0
# endregion

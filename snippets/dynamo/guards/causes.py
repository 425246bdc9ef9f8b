"""The guards of one function, and the line that caused each."""

import torch

from compile_lessons import capture, show

gain = 3


def amplify(x, factor, clip):
    y = x * factor * gain
    if clip:
        y = y.clamp(max=1)
    return y


pipeline = capture(amplify, until="dynamo")(torch.ones(4), 2, True)
show(pipeline.guards)

# region checks
guard_count = len(pipeline.guards)
sources = {guard.source for guard in pipeline.guards if guard.location}
assert {"G['gain']", "L['clip']", "L['factor']", "L['x']"} <= sources
# endregion

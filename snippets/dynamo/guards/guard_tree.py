"""The guard tree of a compiled function."""

import torch

from compile_lessons import capture, show

settings = {"gain": [3, 4]}


def amplify(x, factor, clip):
    y = x * factor * settings["gain"][0]
    return y.clamp(max=1) if clip else y


[frame] = capture(amplify, until="dynamo")(torch.ones(4), 2, True).frames
show(frame.guard_tree)

# region checks
text = str(frame.guard_tree)
assert "L['factor'] == 2" in text and "len(G['settings']['gain']) == 2" in text
assert "G['settings']['gain'][0] == 3" in text and "[1]" not in text
# endregion

"""The frames that Dynamo compiles."""

import torch
from torch._dynamo.convert_frame import register_bytecode_hook  # private


def center(x):
    return x - x.mean()


def step(x):
    return torch.relu(center(x)) * 2


def note_frame(before, after):
    frames.append(before.co_name)


frames = []
register_bytecode_hook(note_frame)
x = torch.ones(4)
# region calls
compiled = torch.compile(step, backend="eager")
print("after torch.compile:          ", frames)
compiled(x)
print("after the first call:         ", frames)
compiled(x)
print("after the second call:        ", frames)
step(x)
print("after step(x), the original:  ", frames)
compiled(x.double())
print("after a call with a new dtype:", frames)
# endregion

# region checks
assert frames == ["step", "step"]
# endregion

"""The frames that Dynamo compiles."""

import torch
from torch._dynamo.convert_frame import register_bytecode_hook


def center(x):
    return x - x.mean()


def step(x):
    return torch.relu(center(x)) * 2


frames, seen = [], []
register_bytecode_hook(lambda before, after: frames.append(before.co_name))
x, compiled = torch.ones(4), torch.compile(step, backend="eager")
calls = {
    "torch.compile alone": lambda: None,
    "first call": lambda: compiled(x),
    "second call": lambda: compiled(x),
    "step(x), the original": lambda: step(x),
    "call with a different dtype": lambda: compiled(x.double()),
}
for name, call in calls.items():
    frames.clear()
    call()
    print(f"{name:24} {frames}")
    seen.append(len(frames))

# region checks
assert seen == [0, 1, 0, 0, 1] and frames == ["step"]
# endregion

"""The frames that Dynamo translates."""

import torch
from torch._dynamo.convert_frame import register_bytecode_hook


def center(x):
    return x - x.mean()


def step(x):
    return torch.relu(center(x)) * 2


frames = []
register_bytecode_hook(lambda before, after: frames.append(before.co_name))

x = torch.ones(4)
compiled = torch.compile(step, backend="eager")
print("torch.compile:", frames)
compiled(x)
print("first call:   ", frames)
compiled(x)
print("second call:  ", frames)
frames.clear()
step(x.double())
print("step itself:  ", frames)
plain_calls = len(frames)
compiled(x.double())
print("another dtype:", frames)

assert plain_calls == 0 and frames == ["step"]
assert step(x).equal(compiled(x))

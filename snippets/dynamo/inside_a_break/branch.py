"""An if on a tensor leads to two resume functions, and each is compiled when it is first called."""

import torch

from compile_lessons import capture


def safe_sqrt(x):
    if x.sum() < 0:
        x = -x
    return torch.sqrt(x)


for value in (1.0, -1.0):
    frames = capture(safe_sqrt, until="dynamo")(torch.full((8,), value)).frames
    print("every element", value)
    for frame in frames:
        print(f"    {frame.function}: {[node.name for node in frame.graph.dynamo.calls]}")

# region checks
loaded = {i.argument for i in frames[0].rewritten if "__resume_at" in i.argument}
assert len(loaded) == 2 and len(frames) == 2
# endregion

"""List the functions that Dynamo skips in a call."""

import torch

from compile_lessons import capture


def model(x):
    for _ in range(2):
        x = torch.relu(x)
        print("a break in a loop")
    return x


pipeline = capture(model, until="dynamo")(torch.ones(8))
print(len(pipeline.graphs), "graphs; skipped:", *pipeline.skips)

# region checks
assert not pipeline.graphs
assert len(pipeline.skips) == 1
# endregion

"""The breaks of one call, with their kinds and lines."""

import torch

from compile_lessons import capture


def model(x):
    y = torch.relu(x)
    if y.sum() > 1:
        y = y / y.sum()
    return y


x = torch.ones(8)
# region copy
pipeline = capture(model, until="dynamo")(x)
for found in pipeline.breaks:
    print(found.gb_type, found.stack[-1])
print(len(pipeline.graphs), "graphs; skipped:", *pipeline.skips)
# endregion

# region checks
assert len(pipeline.breaks) == 1 and len(pipeline.graphs) == 2
# endregion

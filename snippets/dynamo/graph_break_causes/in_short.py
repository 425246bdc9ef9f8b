"""Print the breaks of one call, with their kinds and lines."""

import torch


def model(x):
    y = torch.relu(x)
    if y.sum() > 1:
        y = y / y.sum()
    return y


x = torch.ones(8)
# region copy
from compile_lessons import capture

pipeline = capture(model, until="dynamo")(x)
for graph_break in pipeline.breaks:
    print(graph_break.gb_type, graph_break.stack[-1])
print(len(pipeline.graphs), "graphs; skipped:", *pipeline.skips)
# endregion

# region checks
assert len(pipeline.breaks) == 1
assert len(pipeline.graphs) == 2
# endregion

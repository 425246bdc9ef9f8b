"""A function with three breaks."""

import torch

from compile_lessons import capture


def normalize(x):
    y = x - x.mean()
    print("mean removed")
    if y.abs().max() > 1:
        y = y / y.abs().max()
    y = sorted([y, -y], key=lambda t: t[0])[1]
    return torch.tanh(y)


pipeline = capture(normalize, until="dynamo")(torch.arange(4.0))
for graph_break in pipeline.breaks:
    print(graph_break.gb_type, "at", graph_break.stack[-1])
print("graphs:", len(pipeline.graphs))

# region checks
assert (len(pipeline.breaks), len(pipeline.graphs)) == (3, 5)
# endregion

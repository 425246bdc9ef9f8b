"""Each line of two functions beside its bytecode and its nodes."""

import torch

from compile_lessons import Explorer, capture, show


def center(x):
    return x - x.mean()


def smooth(x, times):
    for _ in range(times):
        x = center(x) * 0.5
    return x.relu()


pipeline = capture(smooth, until="dynamo")(torch.ones(8), 3)
show(Explorer(pipeline, panes=["python", "bytecode", "dynamo"]))
# region checks
[graph] = pipeline.graphs
means = [node for node in graph.dynamo.nodes if node.target == "mean"]
assert len(means) == 3
# endregion

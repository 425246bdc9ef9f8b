"""The same loop in Python: two graphs, and Python runs the loop."""

import sys

import torch

from compile_lessons import capture


def double_until(x):
    while x.sum() < 100:
        x = x * 2
    return x


pipeline = capture(double_until, until="dynamo")(torch.ones(4))
for graph in pipeline.graphs:
    print([node.name for node in graph.dynamo.calls])
whole = capture(double_until, until="dynamo", fullgraph=True)(torch.ones(4))
print("fullgraph=True:", whole.failures[0].message.splitlines()[0])

# region checks
assert len(pipeline.graphs) == (2 if sys.version_info < (3, 12) else 1)
assert "Data-dependent branching" in whole.failures[0].message
# endregion

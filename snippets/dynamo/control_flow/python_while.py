"""The same loop in Python: the graph breaks, and Python runs the loop."""

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
strict = capture(double_until, until="dynamo", fullgraph=True)(torch.ones(4))
print("fullgraph=True:", strict.failures[0].message.splitlines()[0])

# region checks
# from Python 3.12 on, Dynamo compiles no graph for the iterations
assert len(pipeline.graphs) == (2 if sys.version_info < (3, 12) else 1)
assert "Data-dependent branching" in strict.failures[0].message
# endregion

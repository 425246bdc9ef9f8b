# /// lesson
# needs = ["compiler"]
# ///
"""Dynamo's graph."""

from gelu import pipeline

[graph] = pipeline.graphs
print(graph.dynamo.code)

# region checks
assert [node.target for node in graph.dynamo.calls] == ["operator.mul", "torch.sigmoid", "operator.mul"]
# endregion

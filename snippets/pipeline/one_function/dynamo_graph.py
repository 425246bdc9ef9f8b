# /// lesson
# needs = ["compiler"]
# ///
"""Dynamo's graph."""

from gelu import pipeline

[graph] = pipeline.graphs
print(graph.dynamo.code)

# region checks
targets = [node.target for node in graph.dynamo.calls]
assert targets == ["operator.mul", "torch.sigmoid", "operator.mul"]
# endregion

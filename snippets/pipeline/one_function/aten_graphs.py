# /// lesson
# needs = ["compiler"]
# ///
"""The forward and the backward graph, as Inductor writes code for them."""

from gelu import pipeline

[graph] = pipeline.graphs
for part in graph.inductor:
    print(f"{part.direction}\n{part.post_grad.code}")

# region checks
assert [part.direction for part in graph.inductor] == ["forward", "backward"]
# the input, and no other tensor
assert [value.name for value in graph.saved] == ["primals_1"]
assert graph.recomputed == ("mul", "sigmoid")
assert not any("sigmoid_backward" in node.target for node in graph.backward.calls)
# endregion

# /// lesson
# needs = ["compiler"]
# ///
"""The ATen graph that Inductor lowers."""

from head import lowered

print(lowered.post_grad.code)

operators = [node for node in lowered.post_grad.calls if "getitem" not in node.target]
aten_nodes = len(operators)
# region checks
assert aten_nodes == 13
# endregion

"""One graph that holds the forward and the backward pass."""

import torch

from compile_lessons import capture


# region capture
def layer(x, w):
    return torch.tanh(x @ w)


x = torch.ones(4, 3)
w = torch.ones(3, 2, requires_grad=True)
[graph] = capture(layer, until="aot")(x, w).graphs
print(graph.joint.code)
# endregion
# region checks
inputs = [node.name for node in graph.joint.nodes if node.op == "placeholder"]
assert inputs == ["primals_1", "primals_2", "tangents_1"]
assert "[tanh, None, mm_1]" in graph.joint.code
assert len(graph.backward.calls) == 4
# endregion

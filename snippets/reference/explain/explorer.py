# /// lesson
# needs = ["triton"]
# ///
"""A small network with a break, for a CPU and for an H200."""

import torch

from compile_lessons import Explorer, capture, show


def net(x, weight):
    hidden = torch.relu(x @ weight)
    torch._dynamo.graph_break()
    return hidden.softmax(-1)


x = torch.randn(8, 16)
weight = torch.randn(16, 16)
captures = {
    "CPU": capture(net, machine_code=False)(x, weight),
    "H200": capture(net, target="h200")(x, weight),
}
show(Explorer(captures))
# region checks
for pipeline in captures.values():
    assert len(pipeline.breaks) == 1
# endregion

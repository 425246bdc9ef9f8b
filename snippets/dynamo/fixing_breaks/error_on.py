# /// lesson
# raises = {type = "Unsupported", message = "builtin operator"}
# ///
"""Breaks are errors in one part of a function only."""

import torch


@torch.compile(backend="eager")
def model(x):
    print("a break, allowed")
    y = torch.relu(x)
    with torch._dynamo.error_on_graph_break(True):
        y = y * 2
        print("a break, not allowed")
    return y + 1


model(torch.ones(3))

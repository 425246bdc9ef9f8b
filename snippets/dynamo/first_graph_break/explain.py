"""Ask Dynamo to explain itself."""

import torch


def shifted_square(x):
    y = torch.relu(x) + 1
    print("halfway")
    return y * y


explanation = torch._dynamo.explain(shifted_square)(torch.ones(8))
print(str(explanation).split("Out Guards:")[0])  # the guards would fill the screen

graphs, breaks = explanation.graph_count, explanation.graph_break_count
assert (graphs, breaks, explanation.op_count) == (2, 1, 3)

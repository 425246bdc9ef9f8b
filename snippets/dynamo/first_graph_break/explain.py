"""torch._dynamo.explain reports graphs, breaks and their reasons."""

import torch


def shifted_square(x):
    y = torch.relu(x) + 1
    print("halfway")
    return y * y


explanation = torch._dynamo.explain(shifted_square)(torch.ones(8))
print(str(explanation).split("Out Guards:")[0])  # the list of guards is long

# region checks
assert (explanation.graph_count, explanation.graph_break_count, explanation.op_count) == (2, 1, 3)
# endregion

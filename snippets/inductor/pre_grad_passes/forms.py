# /// lesson
# needs = []
# ///
"""Five ways to write a ReLU, in Dynamo's graph."""

import torch
from torch import nn

from compile_lessons import keep_graphs

module = nn.ReLU()


# region forms
def relus(x):
    first = torch.relu(x)
    second = x.relu()
    third = nn.functional.relu(x)
    fourth = module(x)
    fifth = x.clamp(min=0)
    return first, second, third, fourth, fifth


# endregion
kept = keep_graphs()
torch.compile(relus, backend=kept)(torch.randn(8))
code = kept.graphs[0].code
print("\n".join(line.strip() for line in code.splitlines() if " = " in line))
# region checks
assert code.count("nn.functional.relu(") == 2
assert code.count("torch.relu(") == 1
assert code.count("x_.relu()") == 1
# endregion

# /// lesson
# env = {TORCH_LOGS = "-dynamo"}
# ///
"""The parts of a training step, each compiled alone, and the step as one function."""

import torch
from torch import nn
from torch.nn.utils import clip_grad_norm_

from compile_lessons import Table, capture, show

model = nn.Sequential(nn.Linear(8, 8), nn.GELU(), nn.Linear(8, 1))
optimizer = torch.optim.AdamW(model.parameters())
x = torch.ones(4, 8)


def loss_of():
    return model(x).square().mean()


def clip():
    clip_grad_norm_(model.parameters(), 1.0)


def clip_and_check():
    clip_grad_norm_(model.parameters(), 1.0, error_if_nonfinite=True)


def step():
    loss = loss_of()
    loss.backward()
    clip()
    optimizer.step()
    optimizer.zero_grad()


loss_of().backward()
rows = []
for function in (loss_of, clip, clip_and_check, step):
    pipeline = capture(function, until="dynamo", backward=False)()
    operators = [str(len(graph.dynamo.calls)) for graph in pipeline.graphs]
    causes = dict.fromkeys(graph_break.gb_type for graph_break in pipeline.breaks)
    rows.append([function.__name__, ", ".join(operators), "; ".join(causes)])
show(Table(["function", "operators in each graph", "breaks"], rows))

# region checks
assert [len(row[1].split(", ")) for row in rows] == [1, 1, 1, 3]
assert rows[0][2] == rows[1][2] == rows[2][1] == ""
assert "Data-dependent branching" in rows[2][2]
assert "Tensor.backward()" in rows[3][2]
# endregion

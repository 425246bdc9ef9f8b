# /// lesson
# env = {TORCH_LOGS = "-dynamo"}
# ///
"""The parts of a training step, each compiled alone, and the step as one function: graphs and breaks."""

import torch

from compile_lessons import Table, capture, show

model = torch.nn.Sequential(torch.nn.Linear(8, 8), torch.nn.GELU(), torch.nn.Linear(8, 1))
optimizer, x = torch.optim.AdamW(model.parameters()), torch.ones(4, 8)


def loss_of():
    return model(x).square().mean()


def clip():
    torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)


def clip_and_check():
    torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0, error_if_nonfinite=True)


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
    operators = ", ".join(str(len(graph.dynamo.calls)) for graph in pipeline.graphs)
    rows.append(
        [function.__name__, operators or "no graph", "; ".join(dict.fromkeys(b.gb_type for b in pipeline.breaks))]
    )
show(Table(["function", "operators in each graph", "breaks"], rows))
# region checks
assert [row[1].count(",") for row in rows] == [0, 0, 0, 2] and not rows[0][2] and not rows[1][2]
assert rows[2][1] == "no graph" and "Data-dependent branching" in rows[2][2] and "Tensor.backward()" in rows[3][2]
# endregion

# /// lesson
# env = {TORCH_LOGS = "graph_breaks,recompiles", TORCH_LOGS_FORMAT = "%(message)s"}
# ///
"""A training loss with two problems, and the same loss without them."""

import torch
from torch import nn

from compile_lessons import Table, keep_graphs, show

model = nn.Sequential(nn.Linear(16, 32), nn.GELU(), nn.Linear(32, 4))


# region before
class Trainer:
    def __init__(self):
        self.steps = 0

    def loss(self, x, y):
        loss = nn.functional.cross_entropy(model(x), y)
        if loss.isnan():
            raise ValueError("the loss is not a number")
        self.steps += 1
        return loss * min(1.0, self.steps / 100)


# endregion
# region after
def loss(x, y, warmup):
    return nn.functional.cross_entropy(model(x), y) * warmup


# endregion
x = torch.randn(8, 16)
y = torch.randint(0, 4, (8,))
before = keep_graphs()
compiled = torch.compile(Trainer().loss, backend=before)
for _ in range(20):
    compiled(x, y).backward()
after = keep_graphs()
compiled = torch.compile(loss, backend=after)
for step in range(20):
    compiled(x, y, torch.tensor(step / 100)).backward()
rows = [
    ["Trainer.loss", len(before.graphs), len(before.runs) // 20],
    ["loss", len(after.graphs), len(after.runs) // 20],
]
show(Table(["function", "compiled", "in a step"], rows))

# region checks
assert [row[1:] for row in rows] == [[3, 2], [1, 1]]
# endregion

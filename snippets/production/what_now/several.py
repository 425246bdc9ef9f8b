# /// lesson
# env = {TORCH_LOGS = "graph_breaks,recompiles", TORCH_LOGS_FORMAT = "%(message)s"}
# ///
"""A training loss with two problems, and the same loss without them."""

import torch
from _counting import counting, graphs, runs
from torch import nn

from compile_lessons import Table, show

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
rows = []
for function, rest in [(Trainer().loss, lambda step: ()), (loss, lambda step: (torch.tensor(step / 100),))]:
    before, compiled = len(graphs), torch.compile(function, backend=counting)
    for step in range(20):
        ran = len(runs)
        compiled(torch.randn(8, 16), torch.randint(0, 4, (8,)), *rest(step)).backward()
    rows.append([function.__qualname__, len(graphs) - before, len(runs) - ran])
show(Table(["function", "compiled", "in a step"], rows))
# region checks
assert [row[1:] for row in rows] == [[3, 2], [1, 1]]
# endregion

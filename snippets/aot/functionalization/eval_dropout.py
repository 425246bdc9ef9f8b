"""Dropout in evaluation: its input itself in eager mode, a copy in compiled code."""

import torch
from torch import nn

from compile_lessons import Table, show


# region encoder
class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.project = nn.Linear(4, 4)
        self.dropout = nn.Dropout(0.1)
        self.head = nn.Linear(4, 2)
        self.position = nn.Parameter(torch.ones(4))

    def forward(self, x):
        features = self.project(x)
        hidden = self.dropout(features)
        hidden += self.position  # in eager mode, this also changes `features`
        return features, self.head(hidden)


class FixedEncoder(Encoder):
    def forward(self, x):
        features = self.project(x)
        hidden = self.dropout(features)
        hidden = hidden + self.position
        return features, self.head(hidden)


# endregion
x = torch.ones(1, 4)


def row(name, model):
    compiled = torch.compile(model, backend="aot_eager")
    projected = model.project(x)
    in_eager = (model(x)[0] - projected).mean().item()
    in_compiled = (compiled(x)[0] - projected).mean().item()
    return [name, round(in_eager, 3), round(in_compiled, 3)]


rows = [
    row("hidden += position", Encoder().eval()),
    row("hidden = hidden + position", FixedEncoder().eval()),
]
show(Table(["added to features by", "eager mode", "compiled"], rows))
# region checks
assert [row[1:] for row in rows] == [[1, 0], [0, 0]]
# endregion

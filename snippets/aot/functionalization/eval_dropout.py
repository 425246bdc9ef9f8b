"""Dropout in evaluation returns its input in eager mode, and a copy in compiled code."""

import torch
from torch import nn

from compile_lessons import Table, show


class Encoder(nn.Module):
    def __init__(self, in_place):
        super().__init__()
        self.project, self.dropout, self.head = nn.Linear(4, 4), nn.Dropout(0.1), nn.Linear(4, 2)
        self.position = nn.Parameter(torch.ones(4))
        self.in_place = in_place

    def forward(self, x):
        features = self.project(x)
        hidden = self.dropout(features)
        if self.in_place:
            hidden += self.position  # in eager mode, this also changes `features`
        else:
            hidden = hidden + self.position  # the fix
        return features, self.head(hidden)


rows, x = [], torch.ones(1, 4)
for in_place in (True, False):
    torch.manual_seed(0)
    model = Encoder(in_place).eval()
    projected = model.project(x)
    torch.compiler.reset()
    runs = (model, torch.compile(model, backend="aot_eager"))
    added = [round((run(x)[0] - projected).mean().item(), 3) for run in runs]
    rows.append(["hidden += position" if in_place else "hidden = hidden + position", *added])
show(Table(["added to features by", "eager mode", "compiled"], rows))
# region checks
assert [row[1:] for row in rows] == [[1, 0], [0, 0]]
model = Encoder(in_place=True).eval()
assert torch.equal(torch.compile(model, backend="eager")(x)[0], model.project(x) + 1)  # without AOTAutograd: as eager
model.train()
assert torch.equal(model(x)[0], model.project(x))  # in training, eager mode leaves `features` alone too
torch.compiler.reset()
for layer, alias in {nn.Dropout(0.0): True, nn.Dropout(0.1).eval(): True, nn.Dropout(0.5): False}.items():
    y = layer(x)
    assert (y.data_ptr() == x.data_ptr()) == alias
    assert torch.compile(lambda x, f=layer: f(x), backend="aot_eager")(x).data_ptr() != x.data_ptr()
# endregion

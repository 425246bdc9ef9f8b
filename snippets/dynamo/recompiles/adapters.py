# /// lesson
# env = {TORCH_LOGS = "-dynamo"}
# ///
"""Twelve adapters in turn: chosen by name, or put into one place."""

import torch
from torch._dynamo.utils import counters

from compile_lessons import Table, show


class Named(torch.nn.Module):
    def forward(self, x):
        return self.base(x) + self.adapters[self.active](x)


class Slot(torch.nn.Module):
    def forward(self, x):
        return self.base(x) + self.adapter(x)


def make_adapter(rank):
    return torch.nn.Sequential(torch.nn.Linear(8, rank), torch.nn.Linear(rank, 8))


def count_compiles(model, ranks):
    torch.compiler.reset()
    counters.clear()
    model.base = torch.nn.Linear(8, 8)
    model.adapters = torch.nn.ModuleDict({f"task {i}": make_adapter(rank) for i, rank in enumerate(ranks)})
    compiled = torch.compile(model, backend="eager")
    for name in model.adapters:
        model.active = name
        model.adapter = model.adapters[name]
        compiled(torch.ones(2, 8))
    return counters["stats"]["unique_graphs"]


rows = [["adapters[self.active]", "equal", count_compiles(Named(), [4] * 12)]]
rows.append(["self.adapter", "equal", count_compiles(Slot(), [4] * 12)])
rows.append(["self.adapter", "1 to 12", count_compiles(Slot(), range(1, 13))])
show(Table(["forward uses", "ranks", "compiles"], rows))
# region checks
assert [row[2] for row in rows] == [8, 1, 8]
# endregion

# /// lesson
# env = {TORCH_LOGS = "-dynamo"}
# ///
"""Twelve adapters in turn: chosen by name, or put into one place."""

import torch

from compile_lessons import Table, keep_graphs, show


# region models
class ChosenByName(torch.nn.Module):
    def forward(self, x):
        return self.base(x) + self.adapters[self.active](x)


class InOnePlace(torch.nn.Module):
    def forward(self, x):
        return self.base(x) + self.adapter(x)


# endregion


def make_adapter(rank):
    return torch.nn.Sequential(torch.nn.Linear(8, rank), torch.nn.Linear(rank, 8))


def count_compiles(model, ranks):
    torch.compiler.reset()
    kept = keep_graphs()
    model.base = torch.nn.Linear(8, 8)
    model.adapters = torch.nn.ModuleDict()
    for i, rank in enumerate(ranks):
        model.adapters[f"task {i}"] = make_adapter(rank)
    model.compile(backend=kept)
    for name in model.adapters:
        model.active = name
        model.adapter = model.adapters[name]
        model(torch.ones(2, 8))
    return len(kept.graphs)


rows = [
    ["adapters[self.active]", "equal", count_compiles(ChosenByName(), [4] * 12)],
    ["self.adapter", "equal", count_compiles(InOnePlace(), [4] * 12)],
    ["self.adapter", "1 to 12", count_compiles(InOnePlace(), range(1, 13))],
]
show(Table(["forward uses", "ranks", "compiles"], rows))

# region checks
assert [row[2] for row in rows] == [8, 1, 8]
# endregion

"""compile() on a layer of torch.nn compiles nothing, and fullgraph=True reports it."""

import torch
from torch import nn

from compile_lessons import Table, keep_graphs, show


class OwnForward(nn.Module):
    def forward(self, x):
        return x.sin() * 2


class InheritsForward(nn.Linear):
    pass


def outcome(module, kept):
    torch.compiler.reset()
    try:
        module(torch.ones(2, 8))
    except RuntimeError as error:
        return type(error).__name__
    return f"graphs: {len(kept.graphs)}"


def in_place(module, **options):
    kept = keep_graphs()
    module.compile(backend=kept, **options)
    return outcome(module, kept)


def wrapped(module):
    kept = keep_graphs()
    return outcome(torch.compile(module, backend=kept), kept)


# region modules
modules = [
    OwnForward(),
    nn.Linear(8, 8),
    InheritsForward(8, 8),
    nn.Sequential(nn.Linear(8, 8), nn.ReLU()),
]
# endregion
rows = []
for module in modules:
    around = wrapped(module)
    plain = in_place(module)
    rows.append(
        [type(module).__name__, plain, in_place(module, fullgraph=True), around]
    )
columns = ["module", "compile()", "compile(fullgraph=True)", "torch.compile(module)"]
show(Table(columns, rows))

# region checks
assert rows[0][1:] == ["graphs: 1", "graphs: 1", "graphs: 1"]
for row in rows[1:]:
    assert row[1:] == ["graphs: 0", "RuntimeError", "graphs: 1"]
# endregion

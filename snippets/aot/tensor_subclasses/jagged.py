"""Batches of sequences with different lengths, as jagged nested tensors."""

import torch
from torch import nn

from compile_lessons import Table, count_recompiles, show

torch.manual_seed(0)
layer = nn.Linear(16, 16).requires_grad_(False)


def pool(x):
    return layer(x).relu().sum(1)


def batch(*lengths):
    sequences = [torch.randn(length, 16) for length in lengths]
    return torch.nested.nested_tensor(sequences, layout=torch.jagged)


lengths = {
    "other lengths": [(3, 5), (2, 7), (6, 4), (9, 9)],
    "also a length of 1": [(3, 5), (2, 7), (1, 4), (1, 9)],
    "also only lengths of 1": [(3, 5), (2, 7), (1, 1), (2, 1)],
    "also other numbers": [(3, 5), (2, 7, 3), (6, 4, 2, 2), (3, 3, 3, 3, 3)],
}
compiled = torch.compile(pool, backend="aot_eager")
rows = []
for name, four_batches in lengths.items():
    batches = [batch(*lengths_of_one) for lengths_of_one in four_batches]
    equal = all(torch.equal(compiled(x), pool(x)) for x in batches)
    compiles = count_recompiles(pool)([(x,) for x in batches]) + 1
    rows.append([name, compiles, "equal" if equal else "different"])
show(Table(["four batches", "compiles", "results"], rows))
# region checks
assert [row[1] for row in rows] == [1, 2, 3, 2]
assert {row[2] for row in rows} == {"equal"}
# endregion

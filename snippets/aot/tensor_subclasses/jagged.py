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
    return (torch.nested.nested_tensor(sequences, layout=torch.jagged),)


programs = {
    "other lengths": [batch(3, 5), batch(2, 7), batch(6, 4), batch(9, 9)],
    "also a length of 1": [batch(3, 5), batch(2, 7), batch(1, 4), batch(1, 9)],
    "also only lengths of 1": [batch(3, 5), batch(2, 7), batch(1, 1), batch(2, 1)],
    "also other numbers": [batch(3, 5), batch(2, 7, 3), batch(6, 4, 2, 2), batch(3, 3, 3, 3, 3)],
}
rows, compiled = [], torch.compile(pool, backend="aot_eager")
for name, batches in programs.items():
    equal = all(torch.equal(compiled(*batch), pool(*batch)) for batch in batches)
    rows.append([name, count_recompiles(pool)(batches) + 1, "equal" if equal else "different"])
show(Table(["four batches", "compiles", "results"], rows))
# region checks
assert [row[1:] for row in rows] == [[1, "equal"], [2, "equal"], [3, "equal"], [2, "equal"]]
# endregion

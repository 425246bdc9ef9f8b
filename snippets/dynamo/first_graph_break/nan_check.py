"""A NaN check in every block of a model, and the same check once after the model."""

import torch

from compile_lessons import Table, keep_graphs, show


class Block(torch.nn.Module):
    def __init__(self, check):
        super().__init__()
        self.linear = torch.nn.Linear(64, 64)
        self.check = check

    def forward(self, x):
        h = torch.relu(self.linear(x))
        if self.check and torch.isnan(h).any():
            raise FloatingPointError("NaN in a block")
        return x + h


def count_runs(check):
    torch.compiler.reset()
    kept = keep_graphs()
    model = torch.nn.Sequential(*(Block(check) for _ in range(4)))
    y = torch.compile(model, backend=kept)(torch.randn(8, 64))
    if torch.isnan(y).any():  # x + h keeps a NaN, so one check is enough
        raise FloatingPointError("NaN in the model")
    return len(kept.runs)


rows = [
    ["in each block", count_runs(check=True)],
    ["after the model", count_runs(check=False)],
]
show(Table(["NaN check", "graphs that one forward pass runs"], rows))

# region checks
assert [row[1] for row in rows] == [8, 1]
# endregion

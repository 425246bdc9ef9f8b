"""A NaN check in every block of a model, and the same check once after the model."""

import torch

from compile_lessons import Table, show


class Block(torch.nn.Module):
    def __init__(self, check):
        super().__init__()
        self.linear, self.check = torch.nn.Linear(64, 64), check

    def forward(self, x):
        h = torch.relu(self.linear(x))
        if self.check and torch.isnan(h).any():
            raise FloatingPointError("NaN in a block")
        return x + h


def count_runs(graph_module, example_inputs):
    def run(*inputs):
        runs.append(graph_module)
        return graph_module(*inputs)

    return run


rows, runs = [], []
for check in (True, False):
    torch.compiler.reset()
    runs.clear()
    model = torch.nn.Sequential(*(Block(check) for _ in range(4)))
    y = torch.compile(model, backend=count_runs)(torch.randn(8, 64))
    if torch.isnan(y).any():  # x + h keeps a NaN, so one check finds what four would find
        raise FloatingPointError("NaN in the model")
    rows.append(["in each block" if check else "after the model", len(runs)])
show(Table(["NaN check", "graphs that one forward pass runs"], rows))

# region checks
assert [row[1] for row in rows] == [8, 1]
# endregion

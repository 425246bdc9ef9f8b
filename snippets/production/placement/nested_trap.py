# /// lesson
# env = {TORCH_LOGS = "-all"}
# ///
"""24 blocks in nested regions: a number that differs between them, and two fixes."""

import torch
from _model import graphs, keep_graph

from compile_lessons import Table, show


class Block(torch.nn.Linear):
    def __init__(self, number):
        super().__init__(8, 8)
        self.number, self.share = number, torch.tensor(1 / (number + 1))


class Number(Block):
    @torch.compiler.nested_compile_region
    def forward(self, x):
        return x + super().forward(x) / (self.number + 1)


class MoreEntries(Block):
    @torch.compiler.nested_compile_region(max_reuse_entries=24)
    def forward(self, x):
        return x + super().forward(x) / (self.number + 1)


class Tensor(Block):
    @torch.compiler.nested_compile_region
    def forward(self, x):
        return x + super().forward(x) * self.share


rows = []
for kind in (Number, MoreEntries, Tensor):
    try:
        torch.compile(torch.nn.Sequential(*[kind(n) for n in range(24)]), backend=keep_graph)(torch.ones(2, 8))
        rows.append([kind.__name__, len(list(graphs[-1].named_children())), ""])
    except RuntimeError as error:
        rows.append([kind.__name__, 0, str(error).split(" for ")[0].split("invoke_subgraph: ")[-1]])
show(Table(["block", "compiled regions", "error"], rows))
# region checks
assert [row[1] for row in rows] == [0, 24, 2] and "exceeded maximum reuse entries (8)" in rows[0][2]
# endregion

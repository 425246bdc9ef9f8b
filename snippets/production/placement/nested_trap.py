# /// lesson
# env = {TORCH_LOGS = "-all"}
# ///
"""24 blocks in nested regions: a number that differs between them, and two fixes."""

import torch

from compile_lessons import Table, keep_graphs, show


# region blocks
class Block(torch.nn.Linear):
    def __init__(self, number):
        super().__init__(8, 8)
        self.number = number
        self.share = torch.tensor(1 / (number + 1))


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


# endregion
rows = []
for kind in (Number, MoreEntries, Tensor):
    kept = keep_graphs()
    model = torch.nn.Sequential(*[kind(number) for number in range(24)])
    try:
        torch.compile(model, backend=kept)(torch.ones(2, 8))
    except RuntimeError as error:
        message = str(error).split("invoke_subgraph: ")[-1].split(" for ")[0]
        rows.append([kind.__name__, 0, message])
    else:
        regions = list(kept.graphs[0].named_children())
        rows.append([kind.__name__, len(regions), ""])
show(Table(["block", "compiled regions", "error"], rows))

# region checks
assert [row[1] for row in rows] == [0, 24, 2]
assert "exceeded maximum reuse entries (8)" in rows[0][2]
# endregion

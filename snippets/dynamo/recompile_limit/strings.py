# /// lesson
# env = {TORCH_LOGS = "-dynamo"}
# ///
"""Twelve equal blocks that look something up by their own name, each compiled alone."""

import torch

from compile_lessons import Table, keep_graphs, show


# region block
class Block(torch.nn.Module):
    def __init__(self, key):
        super().__init__()
        self.key = key
        self.linear = torch.nn.Linear(8, 8)

    def forward(self, x, scales):
        return x + self.linear(x) * scales[self.key]


# endregion


def count_compiles(**options):
    torch.compiler.reset()
    kept = keep_graphs()
    blocks = [Block(f"blocks.{i}") for i in range(12)]
    scales = {block.key: torch.ones(8) for block in blocks}
    for block in blocks:
        block.compile(backend=kept, **options)
        block(torch.ones(2, 8), scales)
    return len(kept.graphs)


rows = [["block.compile()", count_compiles()]]
isolated = count_compiles(isolate_recompiles=True)
rows.append(["block.compile(isolate_recompiles=True)", isolated])
show(Table(["compiled with", "compiles for 12 blocks"], rows))

# region checks
assert [row[1] for row in rows] == [8, 12]
# endregion

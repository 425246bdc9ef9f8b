# /// lesson
# env = {TORCH_LOGS = "-dynamo"}
# ///
"""24 blocks compiled one by one, with an int that differs between them."""

import torch

from compile_lessons import Table, keep_graphs, show


class Block(torch.nn.Module):
    def __init__(self, layer_idx):
        super().__init__()
        self.layer_idx = layer_idx
        self.linear = torch.nn.Linear(8, 8)

    def forward(self, x):
        return x + self.linear(x) / (self.layer_idx + 1)


def call_each_block(**options):
    torch.compiler.reset()
    kept = keep_graphs()
    blocks = [Block(i) for i in range(24)]
    for block in blocks:
        block.compile(backend=kept, **options)
        block(torch.ones(2, 8))
    return len(kept.graphs), len(kept.runs), 24 - len(kept.runs)


rows = [["block.compile()", *call_each_block()]]
isolated = call_each_block(isolate_recompiles=True)
rows.append(["block.compile(isolate_recompiles=True)", *isolated])
torch.compiler.config.allow_unspec_int_on_nn_module = True
rows.append(["block.compile(), with the setting", *call_each_block()])
show(Table(["compiled with", "compiles", "blocks compiled", "in eager mode"], rows))

# region checks
assert [row[1:] for row in rows] == [[8, 8, 16], [24, 24, 0], [2, 24, 0]]
# endregion

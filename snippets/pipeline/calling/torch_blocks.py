"""Blocks of torch.nn: compile a subclass with its own forward in place."""

import torch
from torch import nn

from compile_lessons import Table, keep_graphs, show


# region block
class Block(nn.TransformerEncoderLayer):
    def forward(self, *args, **kwargs):
        return super().forward(*args, **kwargs)


# endregion
rows = []
for block_class in (nn.TransformerEncoderLayer, Block):
    torch.compiler.reset()
    kept = keep_graphs()
    block = block_class(8, 2, dropout=0, batch_first=True)
    model = nn.TransformerEncoder(block, num_layers=3)
    keys = list(model.state_dict())
    for block in model.layers:
        block.compile(backend=kept)
    model(torch.ones(2, 3, 8))
    same_keys = list(model.state_dict()) == keys
    rows.append([block_class.__name__, len(kept.graphs), same_keys])
show(Table(["class of the blocks", "graphs", "same checkpoint keys"], rows))

# region checks
assert [row[1:] for row in rows] == [[0, True], [2, True]]
# endregion

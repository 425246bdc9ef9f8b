"""Blocks of torch.nn: write a subclass with its own forward, and compile each block in place."""

import torch
from torch import nn

from compile_lessons import Table, show


class Block(nn.TransformerEncoderLayer):
    def forward(self, *args, **kwargs):
        return super().forward(*args, **kwargs)


def keep_graph(graph_module, example_inputs):
    graphs.append(graph_module)
    return graph_module.forward


torch.compiler.set_default_backend(keep_graph)  # counts the graphs
rows = []
for block_class in (nn.TransformerEncoderLayer, Block):
    torch.compiler.reset()
    graphs = []
    model = nn.TransformerEncoder(block_class(8, 2, dropout=0, batch_first=True), num_layers=3)
    keys = list(model.state_dict())
    for block in model.layers:
        block.compile()
    model(torch.ones(2, 3, 8))
    rows.append([block_class.__name__, len(graphs), list(model.state_dict()) == keys])
show(Table(["class of the blocks", "graphs", "same checkpoint keys"], rows))

# region checks
assert [row[1:] for row in rows] == [[0, True], [2, True]]
# endregion

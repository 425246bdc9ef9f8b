"""Blocks of torch.nn: compile the forward of each block."""

import torch
from torch import nn

from compile_lessons import Table, show


def keep_graph(graph_module, example_inputs):
    graphs.append(graph_module)
    return graph_module.forward


torch.compiler.set_default_backend(keep_graph)  # counts the graphs
rows = []
for form in ["block.compile()", "block.forward = torch.compile(block.forward)"]:
    torch.compiler.reset()
    graphs = []
    model = nn.TransformerEncoder(nn.TransformerEncoderLayer(8, 2, dropout=0, batch_first=True), num_layers=3)
    keys = list(model.state_dict())
    for block in model.layers:
        if form == "block.compile()":
            block.compile()
        else:
            block.forward = torch.compile(block.forward)
    model(torch.ones(2, 3, 8))
    rows.append([form, len(graphs), list(model.state_dict()) == keys])
show(Table(["form", "graphs", "same checkpoint keys"], rows))

# region checks
assert [row[1:] for row in rows] == [[0, True], [2, True]]
# endregion

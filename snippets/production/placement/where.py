# /// lesson
# env = {TORCH_LOGS = "-all"}
# ///
"""One training step of a small language model, with torch.compile in five places."""

import torch
from _model import Model
from torch.nn.functional import cross_entropy

from compile_lessons import Table, show


# region step
def loss(tokens):
    return cross_entropy(model(tokens[:, :-1]).flatten(0, 1), tokens[:, 1:].flatten())


def step(tokens, loss=loss):
    loss(tokens).backward()
    optimizer.step()


# endregion
def keep_graph(graph_module, example_inputs):
    graphs.append(sum(node.op.startswith("call_") for node in graph_module.graph.nodes))
    return graph_module.forward


places = {
    "each block": lambda: [block.compile(backend=keep_graph) for block in model.blocks] and step(tokens),
    "the model": lambda: model.compile(backend=keep_graph) or step(tokens),
    "the loss": lambda: step(tokens, torch.compile(loss, backend=keep_graph)),
    "the step": lambda: torch.compile(step, backend=keep_graph)(tokens),
    "optimizer.step": lambda: loss(tokens).backward() or torch.compile(optimizer.step, backend=keep_graph)(),
}
rows, tokens = [], torch.randint(0, 64, (4, 9))
for place, call in places.items():
    torch.compiler.reset()
    model, graphs = Model(layers=3), []
    optimizer = torch.optim.Adam(model.parameters())
    call()
    rows.append([place, len(graphs), ", ".join(map(str, graphs))])
show(Table(["compiled", "graphs", "operations in them"], rows))
# region checks
assert [row[1] for row in rows] == [1, 1, 1, 2, 1] and rows[1][2] == "17" and rows[2][2] == "22"
# endregion

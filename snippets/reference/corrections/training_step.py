# /// lesson
# env = {TORCH_LOGS = "-all"}
# ///
"""Which parts of a training step are captured: it depends on what you compile."""

import torch
from torch import nn

from compile_lessons import Table, show


def keep_graph(graph_module, example_inputs):
    graphs.append(" ".join(node.name for node in graph_module.graph.nodes))
    return graph_module.forward


class Model(nn.Linear):
    def forward(self, x):
        return super().forward(x).relu()


def step(model, optimizer, x):
    optimizer.zero_grad()
    model(x).sum().backward()
    optimizer.step()


rows = []
for what in ("the model", "optimizer.step", "the whole step"):
    torch.compiler.reset()
    model, graphs = Model(4, 4), []
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    if what == "the model":
        model.compile(backend=keep_graph)
    if what == "optimizer.step":
        optimizer.step = torch.compile(optimizer.step, backend=keep_graph)
    run = torch.compile(step, backend=keep_graph) if what == "the whole step" else step
    run(model, optimizer, torch.ones(2, 4))
    captured = ["yes" if any(name in graph for graph in graphs) else "no" for name in ("linear", "add_")]
    rows.append([what, len(graphs), *captured])
show(Table(["compiled", "graphs", "forward captured", "update captured"], rows))
# region checks
assert [row[1:] for row in rows] == [[1, "yes", "no"], [1, "no", "yes"], [2, "yes", "yes"]]
# endregion

# /// lesson
# env = {TORCH_LOGS = "-dynamo"}
# ///
"""A compiled DDP model without a single graph, and two ways to get one."""

import torch
from _two import on_two_processes
from torch import nn
from torch.nn.parallel import DistributedDataParallel

from compile_lessons import Table, show


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(8, 8), nn.ReLU())

    def forward(self, x):
        return self.layers(x)


def count(rank):
    graphs, rows = [], []

    def keep_graph(graph_module, example_inputs):
        graphs.append(graph_module)
        return graph_module.forward

    for name, build in {
        "compile(DDP(Sequential))": lambda: DistributedDataParallel(Model().layers),
        "compile(DDP(own class))": lambda: DistributedDataParallel(Model()),
        "DDP(compile(Sequential))": lambda: DistributedDataParallel(torch.compile(Model().layers, backend=keep_graph)),
    }.items():
        graphs.clear()
        model = build() if name.startswith("DDP") else torch.compile(build(), backend=keep_graph)
        model(torch.ones(2, 8)).sum().backward()
        rows.append([name, len(graphs)])
    return rows


rows = on_two_processes(count)
show(Table(["model", "graphs"], rows))
# region checks
assert [graphs for _, graphs in rows] == [0, 1, 1]
# endregion

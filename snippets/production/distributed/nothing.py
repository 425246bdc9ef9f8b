# /// lesson
# env = {TORCH_LOGS = "-dynamo"}
# ///
"""Graphs of five models in DDP, by what is compiled: the DDP model, the module inside in place, or before wrapping."""

import torch
from _two import on_two_processes
from torch import nn
from torch.nn.parallel import DistributedDataParallel

from compile_lessons import Table, show

graphs = []


def keep_graph(graph_module, example_inputs):
    graphs.append(graph_module)
    return graph_module.forward


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(8, 8)

    def forward(self, x):
        return self.layer(x).relu()


class Layers(nn.Sequential):
    """A class of your own whose forward is torch's."""


models = {
    "own class": lambda: Block(),
    "nn.Sequential of own classes": lambda: nn.Sequential(Block(), Block()),
    "nn.Sequential of nn.Linear": lambda: nn.Sequential(nn.Linear(8, 8), nn.ReLU()),
    "nn.TransformerEncoderLayer": lambda: nn.TransformerEncoderLayer(8, 2, 16),
    "subclass of nn.Sequential": lambda: Layers(nn.Linear(8, 8), nn.ReLU()),
}


def compile_ddp(model):
    return torch.compile(DistributedDataParallel(model), backend=keep_graph)


def compile_inside(model):
    ddp = DistributedDataParallel(model)
    ddp.module.compile(backend=keep_graph)
    return ddp


def compile_first(model):
    return DistributedDataParallel(torch.compile(model, backend=keep_graph))


def count(rank):
    rows = []
    for name, build in models.items():
        row = [name]
        for wrap in (compile_first, compile_ddp, compile_inside):
            torch.compiler.reset()
            graphs.clear()
            model = wrap(build())
            model(torch.ones(2, 4, 8)).sum().backward()
            row.append(len(graphs))
        rows.append(row)
    return rows


rows = on_two_processes(count)
show(Table(["graphs of m", "DDP(torch.compile(m))", "torch.compile(DDP(m))", "ddp.module.compile()"], rows))
# region checks
assert [row[1:3] for row in rows] == [[1, 1], [1, 2], [1, 0], [1, 0], [1, 0]]
# endregion

# /// lesson
# env = {TORCH_LOGS = "-dynamo"}
# ///
"""Graphs of five models in DDP: compiled before it is wrapped, with the DDP model, or inside the DDP model."""

import torch
from _models import MODELS
from _two import on_two_processes
from torch.nn.parallel import DistributedDataParallel

from compile_lessons import Table, show

graphs = []


def keep_graph(graph_module, example_inputs):
    graphs.append(graph_module)
    return graph_module.forward


def wrap(form, model):
    if form == "DDP(torch.compile(m))":
        return DistributedDataParallel(torch.compile(model, backend=keep_graph))
    ddp = DistributedDataParallel(model)
    if form == "torch.compile(DDP(m))":
        return torch.compile(ddp, backend=keep_graph)
    ddp.module.compile(backend=keep_graph)
    return ddp


def count(form, build):
    torch.compiler.reset()
    graphs.clear()
    wrap(form, build())(torch.ones(2, 4, 8)).sum().backward()
    return len(graphs)


FORMS = ["DDP(torch.compile(m))", "torch.compile(DDP(m))", "ddp.module.compile()"]
rows = on_two_processes(lambda rank: [[name, *(count(form, MODELS[name]) for form in FORMS)] for name in MODELS])
show(Table(["graphs of m", *FORMS], rows))
# region checks
assert [row[1:3] for row in rows] == [[1, 1], [1, 2], [1, 0], [1, 0], [1, 0]]
# endregion

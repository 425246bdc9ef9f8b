# /// lesson
# env = {TORCH_LOGS = "-dynamo"}
# ///
"""Graphs of five models in DDP, compiled in three ways."""

import torch
from _models import MODELS
from _ranks import on_two_ranks
from torch.nn.parallel import DistributedDataParallel

from compile_lessons import Table, keep_graphs, show


# region forms
def compile_first(model, kept):
    return DistributedDataParallel(torch.compile(model, backend=kept))


def compile_ddp(model, kept):
    return torch.compile(DistributedDataParallel(model), backend=kept)


def compile_in_place(model, kept):
    ddp = DistributedDataParallel(model)
    ddp.module.compile(backend=kept)
    return ddp


# endregion
def count(form, model):
    torch.compiler.reset()
    kept = keep_graphs()
    form(model, kept)(torch.ones(2, 4, 8)).sum().backward()
    return len(kept.graphs)


def count_all(rank):
    rows = []
    for name, build in MODELS.items():
        forms = (compile_first, compile_ddp, compile_in_place)
        rows.append([name, *(count(form, build()) for form in forms)])
    return rows


rows = on_two_ranks(count_all)
forms = ["DDP(torch.compile(m))", "torch.compile(DDP(m))", "ddp.module.compile()"]
show(Table(["graphs of m", *forms], rows))

# region checks
assert [row[1:3] for row in rows] == [[1, 1], [1, 2], [1, 0], [1, 0], [1, 0]]
# endregion

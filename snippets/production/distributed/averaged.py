# /// lesson
# env = {TORCH_LOGS = "-all"}
# ///
"""The gradient that each of two processes has after a step, for four ways to compile a DDP model."""

import torch
import torch.distributed as dist
from _ddp import Model
from _two import on_two_processes
from torch.nn.parallel import DistributedDataParallel

from compile_lessons import Table, show


def gradient(name, rank):
    def step(x):
        model(x).sum().backward()

    torch.compiler.reset()
    torch.manual_seed(0)
    model = ddp = DistributedDataParallel(Model())
    weight = ddp.module.layers[-1].weight
    torch._dynamo.config.trace_autograd_ops = "trace_autograd_ops" in name
    if name == "torch.compile(ddp)":
        model = torch.compile(ddp, backend="aot_eager")
    elif name == "ddp.module.compile()":
        ddp.module.compile(backend="aot_eager")
    elif name == "torch.compile(ddp.module)":
        model = torch.compile(ddp.module, backend="aot_eager")
    else:
        step = torch.compile(step, backend="aot_eager")
    step(torch.full((2, 512), rank + 1.0))  # a different batch in each process
    norms = [None, None]
    dist.all_gather_object(norms, None if weight.grad is None else round(weight.grad.norm().item(), 1))
    return [name, *norms]


NAMES = ["torch.compile(ddp)", "ddp.module.compile()", "torch.compile(ddp.module)", "step, trace_autograd_ops"]
rows = on_two_processes(lambda rank: [gradient(name, rank) for name in NAMES])
show(Table(["compiled", "gradient in process 0", "in process 1"], rows))
# region checks
assert all(row[1] == row[2] is not None for row in rows[:2]) and rows[0][1:] == rows[1][1:]
assert rows[2][2] > rows[2][1] and rows[3][1:] == [None, None]
# endregion

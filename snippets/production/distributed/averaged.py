# /// lesson
# env = {TORCH_LOGS = "-all"}
# ///
"""The gradients of two processes after a step, for four ways to compile a DDP model."""

import torch
import torch.distributed as dist
from _ddp import Model
from _ranks import on_two_ranks
from torch.nn.parallel import DistributedDataParallel

from compile_lessons import Table, show


# region forms
def step(model, x):
    model(x).sum().backward()


def compile_ddp(ddp, x):
    step(torch.compile(ddp, backend="aot_eager"), x)


def compile_in_place(ddp, x):
    ddp.module.compile(backend="aot_eager")
    step(ddp, x)


def compile_inner(ddp, x):
    step(torch.compile(ddp.module, backend="aot_eager"), x)


def compile_step(ddp, x):
    torch._dynamo.config.trace_autograd_ops = True
    torch.compile(step, backend="aot_eager")(ddp, x)


FORMS = {
    "torch.compile(ddp)": compile_ddp,
    "ddp.module.compile()": compile_in_place,
    "torch.compile(ddp.module)": compile_inner,
    "step, trace_autograd_ops": compile_step,
}


# endregion
def gradient_norms(form, rank):
    torch.compiler.reset()
    torch.manual_seed(0)
    ddp = DistributedDataParallel(Model())
    form(ddp, torch.full((2, 512), rank + 1.0))  # a different batch in each process
    gradient = ddp.module.layers[-1].weight.grad
    norms = [None, None]
    norm = None if gradient is None else round(gradient.norm().item(), 1)
    dist.all_gather_object(norms, norm)
    return norms


def compare(rank):
    return [[name, *gradient_norms(form, rank)] for name, form in FORMS.items()]


rows = on_two_ranks(compare)
show(Table(["compiled", "gradient in process 0", "in process 1"], rows))

# region checks
ddp, in_place, inner, whole_step = (row[1:] for row in rows)
assert ddp == in_place
assert ddp[0] == ddp[1]
assert ddp[0] is not None
assert inner[1] > inner[0]
assert whole_step == [None, None]
# endregion

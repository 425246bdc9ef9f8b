# /// lesson
# needs = ["gpu", "triton"]
# gpus = 2
# timeout = 300
# memory = 65536
# env = {TORCH_LOGS = "-dynamo"}
# ///
"""A training step on two GPUs: DDP and FSDP2, in eager mode and compiled, beside one GPU."""

from statistics import median
from time import perf_counter

import torch
import torch.distributed as dist
from _training import ddp, first_step, fsdp, one, training_step
from _two import on_two_processes

from compile_lessons import Table, show

torch._inductor.config.compile_threads = 8
VARIANTS = {
    "one GPU, eager": (one, False, True),
    "one GPU, compiled": (one, True, True),
    "DDP, eager": (ddp, False, True),
    "DDP, compiled": (ddp, True, True),
    "DDP, compiled, optimize_ddp=False": (ddp, True, False),
    "FSDP2, eager": (fsdp, False, True),
    "FSDP2, blocks compiled": (fsdp, True, True),
}


def milliseconds(step, calls=10):
    dist.barrier()
    torch.cuda.synchronize()
    began = perf_counter()
    for _ in range(calls):
        step()
    torch.cuda.synchronize()
    return (perf_counter() - began) / calls * 1e3


def measure(rank):
    steps, graphs, times = {}, {}, {name: [] for name in VARIANTS}
    for name, (wrap, compiled, optimize_ddp) in VARIANTS.items():
        steps[name] = training_step(wrap, compiled, "cuda")
        graphs[name] = first_step(steps[name], optimize_ddp)
    for _ in range(9):  # in turn, so that a slow moment hits all
        for name, step in steps.items():
            times[name].append(milliseconds(step))
    return graphs, times


graphs, times = on_two_processes(measure, "nccl")
rows, medians = [], {name: median(samples) for name, samples in times.items()}
for name, samples in times.items():
    spread = f"{min(samples):.1f} to {max(samples):.1f}"
    relative = medians[name] / medians["DDP, eager"]
    rows.append([name, graphs[name], f"{medians[name]:.1f}", spread, f"{relative:.2f}"])
show(Table(["step", "graphs", "ms", "of nine", "of DDP, eager"], rows))
# region checks
assert graphs["DDP, eager"] == graphs["FSDP2, eager"] == 0 and graphs["DDP, compiled, optimize_ddp=False"] == 1
assert graphs["DDP, compiled"] > 1
# endregion

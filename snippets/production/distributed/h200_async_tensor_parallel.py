# /// lesson
# needs = ["gpu", "triton"]
# gpus = 2
# timeout = 150
# memory = 65536
# ///
"""Async tensor parallelism on two GPUs: products cut up, so that transfers overlap."""

import warnings
from statistics import median

import torch
import torch.distributed as dist
from _tensor_parallel import compiled, milliseconds, on_gpu
from _two import on_two_processes
from torch.distributed._symmetric_memory import enable_symm_mem_for_group

from compile_lessons import Table, show

warnings.simplefilter("ignore")  # of the private interface, which is about to change


@torch.no_grad()
def measure(rank):
    # memory that the other GPU can read
    enable_symm_mem_for_group(dist.group.WORLD.group_name)
    part = on_gpu(parallel=True)
    cases, calls = {}, {}
    for name, pipelined in {"compiled": False, "compiled, async": True}.items():
        function, calls[name] = compiled(*part, {"_micro_pipeline_tp": pipelined})
        cases[name] = function, part[1]
    return milliseconds(cases), calls


times, calls = on_two_processes(measure, "nccl")
first = median(times["compiled"])
rows = [
    [
        name,
        f"{median(some):.2f}",
        f"{min(some):.2f} to {max(some):.2f}",
        f"{median(some) / first:.2f}",
    ]
    for name, some in times.items()
]
show(Table(["tensor parallel", "ms", "of seven", "ratio"], rows))
for name in calls:
    print(f"{name}: {calls[name]}")
# region checks
assert "_c10d_functional.all_gather_into_tensor" in calls["compiled"]
assert "symm_mem.fused_all_gather_matmul" in calls["compiled, async"]
# endregion

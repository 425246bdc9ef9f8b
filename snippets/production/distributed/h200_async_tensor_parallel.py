# /// lesson
# needs = ["gpu", "triton"]
# gpus = 2
# timeout = 150
# memory = 65536
# ///
"""Async tensor parallelism on two GPUs: matmuls cut up, so that transfers overlap."""

import warnings

import torch
import torch.distributed as dist
from _tensor_parallel import (
    compile_and_check,
    milliseconds,
    on_two_gpus,
    rows_compared_with_the_first,
)
from _two import on_two_processes
from torch.distributed._symmetric_memory import enable_symm_mem_for_group  # private

from compile_lessons import Table, show

warnings.simplefilter("ignore")  # of the private interface, which is about to change


@torch.no_grad()
def measure(rank):
    # memory that the other GPU can read
    enable_symm_mem_for_group(dist.group.WORLD.group_name)
    part, x = on_two_gpus()
    plain, calls = compile_and_check(part, x, _micro_pipeline_tp=False)
    pipelined, async_calls = compile_and_check(part, x, _micro_pipeline_tp=True)
    cases = {"compiled": (plain, x), "compiled, async": (pipelined, x)}
    return milliseconds(cases), calls, async_calls


times, calls, async_calls = on_two_processes(measure, "nccl")
rows = rows_compared_with_the_first(times)
show(Table(["tensor parallel", "ms", "of seven", "ratio"], rows))
print(f"compiled: {calls}")
print(f"compiled, async: {async_calls}")
# region checks
assert "_c10d_functional.all_gather_into_tensor" in calls
assert "symm_mem.fused_all_gather_matmul" in async_calls
# endregion

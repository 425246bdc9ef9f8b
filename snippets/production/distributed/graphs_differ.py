# /// lesson
# needs = ["compiler"]
# env = {TORCH_LOGS = "-inductor"}
# ///
"""Ranks whose graphs differ: a check turns the hang into an error."""

import torch
import torch.distributed as dist
from _two import on_two_processes


# region step
def step(x):
    if dist.get_rank() == 0:
        metric = x.sum()
        dist.all_reduce(metric)  # only rank 0 takes part
    dist.all_reduce(x)
    return x * 2


options = {
    "reorder_for_compute_comm_overlap": True,
    "aten_distributed_optimizations.spmd_check": True,
    "aten_distributed_optimizations.spmd_mismatch": "error",
}
# endregion


def message(rank):
    try:
        torch.compile(step, options=options)(torch.ones(4))
    except RuntimeError as error:
        return str(error)
    return ""


with torch.no_grad():
    text = on_two_processes(message)
print(text.splitlines()[0])
# region checks
assert "SPMD graph verification failed." in text
# endregion

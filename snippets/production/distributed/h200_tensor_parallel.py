# /// lesson
# needs = ["gpu", "triton"]
# gpus = 2
# timeout = 150
# memory = 65536
# ///
"""An MLP on two GPUs: tensor parallel in eager mode and compiled, beside one GPU."""

from statistics import median

import torch
from _tensor_parallel import compiled, milliseconds, on_gpu
from _two import on_two_processes

from compile_lessons import Table, show


@torch.no_grad()
def measure(rank):
    whole, part = on_gpu(parallel=False), on_gpu(parallel=True)
    function, calls = compiled(*part, {})
    alone, _ = compiled(*whole, {"max_autotune": False})  # a version of its own
    cases = {"one GPU, eager": whole, "one GPU, compiled": (alone, whole[1])}
    cases |= {
        "tensor parallel, eager": part,
        "tensor parallel, compiled": (function, part[1]),
    }
    return milliseconds(cases), calls


times, calls = on_two_processes(measure, "nccl")
first = median(times["one GPU, eager"])
rows = [
    [
        name,
        f"{median(some):.2f}",
        f"{min(some):.2f} to {max(some):.2f}",
        f"{median(some) / first:.2f}",
    ]
    for name, some in times.items()
]
show(Table(["forward pass", "ms", "of seven", "of one GPU, eager"], rows))
print("communication in the compiled code:", calls)
# region checks
assert (
    "_c10d_functional.all_gather_into_tensor" in calls
    and "reduce_scatter_tensor" in calls
)
# endregion

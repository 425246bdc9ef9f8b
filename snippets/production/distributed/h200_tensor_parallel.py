# /// lesson
# needs = ["gpu", "triton"]
# gpus = 2
# timeout = 150
# memory = 65536
# ///
"""An MLP on two GPUs: tensor parallel in eager mode and compiled, beside one GPU."""

import torch
from _tensor_parallel import (
    compile_and_check,
    milliseconds,
    on_one_gpu,
    on_two_gpus,
    rows_compared_with_the_first,
)
from _two import on_two_processes

from compile_lessons import Table, show


@torch.no_grad()
def measure(rank):
    whole, x = on_one_gpu()
    part, part_of_x = on_two_gpus()
    compiled_part, calls = compile_and_check(part, part_of_x)
    # an option of its own, so that it gets a version of its own
    compiled_whole, _ = compile_and_check(whole, x, max_autotune=False)
    cases = {
        "one GPU, eager": (whole, x),
        "one GPU, compiled": (compiled_whole, x),
        "tensor parallel, eager": (part, part_of_x),
        "tensor parallel, compiled": (compiled_part, part_of_x),
    }
    return milliseconds(cases), calls


times, calls = on_two_processes(measure, "nccl")
rows = rows_compared_with_the_first(times)
show(Table(["forward pass", "ms", "of seven", "of one GPU, eager"], rows))
print("communication in the compiled code:", calls)
# region checks
assert "_c10d_functional.all_gather_into_tensor" in calls
assert "reduce_scatter_tensor" in calls
# endregion

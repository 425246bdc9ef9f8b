# /// lesson
# needs = ["triton"]
# memory = 8192
# timeout = 240
# ///
"""What a training step keeps for the backward pass, and which kernels it runs there."""

import torch
from functions import attention, dense, tensors

from compile_lessons import Table, capture, show

torch.set_float32_matmul_precision("high")
length = 2048
inputs = (*tensors(length, "cpu"), torch.arange(length) // 300)
rows = []
for function in (dense, attention):
    pipeline = capture(function, target="h200", machine_code=False)(*inputs)
    [graph] = pipeline.graphs
    _, backward = graph.inductor
    kernels = [kernel.name.removeprefix("triton_") for kernel in backward.kernels]
    saved = f"{graph.saved_bytes / 2**20:.1f}"
    rows.append([function.__name__, saved, len(kernels), kernels[-1]])
columns = ["function", "MiB saved", "kernels of the backward pass", "the last"]
show(Table(columns, rows))
for line in backward.output_code.splitlines():
    if "tl.atomic_add" in line:
        print(line.strip())
# region checks
assert float(rows[0][1]) > 20 * float(rows[1][1])
assert rows[1][3] == "tem_fused_flex_attention_backward_2"
assert "tl.atomic_add" in backward.output_code
# endregion

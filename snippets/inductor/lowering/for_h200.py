# /// lesson
# needs = ["triton"]
# memory = 8192
# ///
"""The Triton kernel for an H200, with the machine instructions of each line counted."""

import torch
import torch.nn.functional as F

from compile_lessons import capture


def head(x, bias, weight, shift):
    y = F.gelu(x + bias)
    return F.layer_norm(y, (512,), weight, shift)


x = torch.randn(256, 512)
bias, weight, shift = torch.randn(3, 512)
pipeline = capture(head, target="h200")(x, bias, weight, shift)
[graph] = pipeline.graphs
[kernel] = pipeline.gpu_kernels
instructions = {line.triton: len(line.sass) for line in kernel.code.lines}
lines_above = kernel.source[: kernel.source.index(kernel.function)].count("\n")
lines = kernel.function.rstrip().splitlines()
for number, line in enumerate(lines, lines_above + 1):
    print(f"{instructions.get(number) or '':>4} {line}")

loops = len(graph.inductor[0].ir)
erf = kernel.function.count("libdevice.erf")
erf_lines = [line for line in kernel.code.lines if "libdevice.erf" in line.text]
erf_sass = len(erf_lines[0].sass)
# region checks
assert (loops, erf, len(erf_lines)) == (3, 1, 1)
operators = "add_gelu_native_layer_norm"
assert kernel.name.startswith(f"triton_per_fused_{operators}")
# endregion

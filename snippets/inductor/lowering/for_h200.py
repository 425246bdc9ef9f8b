# /// lesson
# needs = ["triton"]
# memory = 8192
# ///
"""The Triton kernel for an H200. The margin has the number of machine instructions of each line."""

import torch
import torch.nn.functional as F

from compile_lessons import capture


def head(x, bias, weight, shift):
    y = F.gelu(x + bias)
    return F.layer_norm(y, (512,), weight, shift)


inputs = torch.randn(256, 512), torch.randn(512), torch.ones(512), torch.zeros(512)
pipeline = capture(head, target="h200")(*inputs)
[graph], [kernel] = pipeline.graphs, pipeline.gpu_kernels
instructions = {line.triton: len(line.sass) for line in kernel.code.lines}
first = kernel.source[: kernel.source.index(kernel.function)].count("\n") + 1
for number, line in enumerate(kernel.function.rstrip().splitlines(), first):
    print(f"{instructions.get(number) or '':>4} {line}")

loops, erf = len(graph.inductor[0].ir), kernel.function.count("libdevice.erf")
[erf_sass] = (len(line.sass) for line in kernel.code.lines if "libdevice.erf" in line.text)
# region checks
assert (loops, erf) == (3, 1) and kernel.name.startswith("triton_per_fused_add_gelu_native_layer_norm")
# endregion

# /// lesson
# needs = ["triton"]
# ///
"""The end of a template's kernel with a fused GELU, for an H200 that is not there."""

import torch
import torch.nn.functional as F
from torch._inductor import config

from compile_lessons import capture


def layer(x, weight, bias):
    return F.gelu(x @ weight + bias)


config.max_autotune_gemm_backends = "TRITON"  # leave the library out
x = torch.ones(64, 128)
weight = torch.ones(128, 256)
bias = torch.ones(256)
tuned = {"max_autotune": True}
compile_layer = capture(layer, target="h200", options=tuned, machine_code=False)
pipeline = compile_layer(x, weight, bias)
[kernel] = pipeline.kernels
candidates = len(pipeline.gpu.candidates)
_, suffix = kernel.source.split("inductor generates a suffix\n")
print(f"# {kernel.name}")
print("\n".join(line for line in suffix.splitlines() if line.startswith("    ")))
# region checks
assert kernel.name == "triton_tem_fused_add_gelu_mm_0"
assert candidates > 5
assert all("tl.dot" in candidate.source for candidate in pipeline.gpu.candidates)
# endregion

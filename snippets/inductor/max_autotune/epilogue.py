# /// lesson
# needs = ["triton"]
# ///
"""The end of a template's kernel with a fused GELU, for an H200 that is not there."""

import torch
import torch._inductor.config
import torch.nn.functional as F

from compile_lessons import capture


def layer(x, weight, bias):
    return F.gelu(x @ weight + bias)


torch._inductor.config.max_autotune_gemm_backends = "TRITON"  # leave the library out
x, weight, bias = torch.ones(64, 128), torch.ones(128, 256), torch.ones(256)
pipeline = capture(layer, target="h200", options={"max_autotune": True}, machine_code=False)(x, weight, bias)
(kernel,) = pipeline.kernels
candidates, name = len(pipeline.gpu.candidates), kernel.name
lines = kernel.source.splitlines()
start = next(number for number, line in enumerate(lines) if line.endswith("inductor generates a suffix"))
print(f"# {name}")
print("\n".join(line for line in lines[start:] if line.startswith("    ")))
# region checks
assert name == "triton_tem_fused_add_gelu_mm_0" and candidates > 5
assert all("tl.dot" in candidate.source for candidate in pipeline.gpu.candidates)
# endregion

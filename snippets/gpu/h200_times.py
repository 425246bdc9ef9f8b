# /// lesson
# needs = ["gpu", "triton"]
# memory = 32768
# timeout = 240
# ///
"""Kernel times on an H200, eager and compiled, against the copy bandwidth of the same run."""

import torch
import torch.nn.functional as F

from compile_lessons.bench import Comparison, limits, measure
from compile_lessons.show import show


def quick_gelu(x):
    return x * torch.sigmoid(1.702 * x)


def norm(x):
    return F.layer_norm(x + F.gelu(x), x.shape[-1:])


best = limits("cuda", torch.bfloat16, size=8192, copied=2**30)
copy_tb, matmul_tflops = best.copy / 1e12, best.matmul / 1e12
print(f"copy {copy_tb:.2f} TB/s, bf16 matmul {matmul_tflops:.0f} TFLOP/s")

inputs = [(torch.randn(16384, 4096, device="cuda"),) for _ in range(4)]
moved = 2 * inputs[0][0].nbytes  # each element read once and written once
found = []
for name, function in {"quick_gelu": quick_gelu, "softmax": lambda x: x.softmax(-1), "norm": norm}.items():
    found.append(measure(f"{name}, eager", function, inputs, cold=True, moved=moved))
    found.append(measure(f"{name}, compiled", torch.compile(function), inputs, cold=True, moved=moved))
show(Comparison(tuple(found), best))

gelu_eager, gelu_compiled = found[0], found[1]
gelu_speedup = gelu_eager.median / gelu_compiled.median
gelu_share = gelu_compiled.share(best)
softmax_speedup, norm_speedup = found[2].median / found[3].median, found[4].median / found[5].median
spread = max(one.spread for one in found)
assert gelu_speedup > 1

# /// lesson
# needs = ["gpu", "triton"]
# memory = 32768
# timeout = 240
# ///
"""Kernel times on an H200, eager and compiled, beside a copy in the same run."""

import torch
import torch.nn.functional as F

from compile_lessons.bench import Comparison, limits, measure
from compile_lessons.show import show

best = limits("cuda", torch.bfloat16, size=8192, copied=2**30)
copy_tb = best.copy / 1e12
print(f"copy: {copy_tb:.2f} TB/s")

functions = {
    "quick_gelu": lambda x: x * torch.sigmoid(1.702 * x),
    "softmax": lambda x: x.softmax(-1),
    "norm": lambda x: F.layer_norm(x + F.gelu(x), x.shape[-1:]),
}
inputs = [(torch.randn(16384, 4096, device="cuda"),) for _ in range(4)]
size = inputs[0][0].nbytes
times = {}
for name, function in functions.items():
    for mode, run in (("eager", function), ("compiled", torch.compile(function))):
        label = f"{name}, {mode}"
        times[label] = measure(label, run, inputs, cold=True, moved=2 * size)

add = torch.compile(lambda a, b, c, d: a + b + c + d)
four = tuple(x for (x,) in inputs)
label = "a + b + c + d, compiled"
times[label] = measure(label, add, [four, four[::-1]], cold=True, moved=5 * size)
show(Comparison(tuple(times.values()), best))

# region checks
speedups = [
    times[f"{name}, eager"].median / times[f"{name}, compiled"].median
    for name in functions
]
gelu_speedup, softmax_speedup, norm_speedup = speedups
shares = [times[label].share(best) for label in times if "compiled" in label]
gelu_share, softmax_share, norm_share, add_share = shares
assert gelu_speedup > norm_speedup > softmax_speedup > 1
assert add_share > 1 > gelu_share > 0.9 > softmax_share > norm_share
assert max(time.spread for time in times.values()) < 0.1
# endregion

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
one = inputs[0][0].nbytes
times = []
for name, function in functions.items():
    times.append(measure(f"{name}, eager", function, inputs, cold=True, moved=2 * one))
    times.append(measure(f"{name}, compiled", torch.compile(function), inputs, cold=True, moved=2 * one))
four = tuple(x for (x,) in inputs)
add = torch.compile(lambda a, b, c, d: a + b + c + d)
times.append(measure("a + b + c + d, compiled", add, [four, four[::-1]], cold=True, moved=5 * one))
show(Comparison(tuple(times), best))

gelu_speedup, softmax_speedup, norm_speedup = (times[i].median / times[i + 1].median for i in (0, 2, 4))
gelu_share, softmax_share, norm_share, add_share = (times[i].share(best) for i in (1, 3, 5, 6))
# region checks
assert gelu_speedup > norm_speedup > softmax_speedup > 1
assert add_share > 1 > gelu_share > 0.9 > softmax_share > norm_share
assert max(time.spread for time in times) < 0.1
# endregion

# /// lesson
# needs = ["compiler"]
# varies.output = ['\d[\d,.]* ms']
# varies.values = ["scale", "start", "middle", "first_forward", "first_backward", "later_forward", "later_backward"]
# ///
"""Training: the first forward call and the first backward call compile."""

import random
from time import perf_counter

import torch

from compile_lessons import Table, show

scale = random.uniform(1.7, 1.8)  # a new constant: no kernel of an earlier run fits


@torch.compile
def quick_gelu(x):
    return x * torch.sigmoid(scale * x)


torch.compile(torch.neg)(torch.ones(2))  # imports and starts the compiler, which is not what we time
x, times = torch.linspace(-4, 4, 512, requires_grad=True), []
for _ in range(3):
    start = perf_counter()
    loss = quick_gelu(x).sum()
    middle = perf_counter()
    loss.backward()
    times.append(((middle - start) * 1e3, (perf_counter() - middle) * 1e3))

rows = [[step, f"{forward:,.1f} ms", f"{backward:,.1f} ms"] for step, (forward, backward) in enumerate(times)]
show(Table(["step", "forward", "backward"], rows))
(first_forward, first_backward), _, (later_forward, later_backward) = times

# region checks
assert first_forward > 10 * later_forward and first_backward > 10 * later_backward
# endregion

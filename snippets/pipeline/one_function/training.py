# /// lesson
# needs = ["compiler"]
# varies.output = ['\d[\d,.]* ms']
# varies.values = ["scale", "start", "middle", "end"]
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


# starts the compiler, which is not what we time
torch.compile(torch.neg)(torch.ones(2))
x = torch.linspace(-4, 4, 512, requires_grad=True)
forward = []
backward = []
rows = []
for step in range(3):
    start = perf_counter()
    loss = quick_gelu(x).sum()
    middle = perf_counter()
    loss.backward()
    end = perf_counter()
    forward.append((middle - start) * 1e3)
    backward.append((end - middle) * 1e3)
    rows.append([step, f"{forward[-1]:,.1f} ms", f"{backward[-1]:,.1f} ms"])
show(Table(["step", "forward", "backward"], rows))

# region checks
assert forward[0] > 10 * forward[2]
assert backward[0] > 10 * backward[2]
# endregion

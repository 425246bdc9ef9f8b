# /// lesson
# needs = ["compiler"]
# varies.output = ['[\d,]+\.\d+ ms']
# varies.values = ["start", "scale", "first", "later", "eager_ms", "inductor_ms", "speedup"]
# ///
"""First call and later calls, backend by backend."""

import random
from time import perf_counter
from timeit import timeit

import torch

from compile_lessons import Table, show

scale = random.uniform(1.7, 1.8)  # a new constant: no kernel of an earlier run fits


def quick_gelu(x):
    return x * torch.sigmoid(scale * x)


def milliseconds(*functions):
    rounds = [
        [timeit("f(x)", globals={"f": function, "x": x}, number=5) for function in functions] for _ in range(30)
    ]  # in turn
    return [min(times) / 5 * 1e3 for times in zip(*rounds, strict=True)]


torch.set_num_threads(1)  # so that other programs on this machine disturb less
torch.empty(1 << 22)  # memory given back once is kept for later calls
x, firsts, functions = torch.linspace(-4, 4, 1 << 20), [], [quick_gelu]
for backend in ["eager", "aot_eager", "inductor"]:
    torch.compile(lambda x: x * torch.sigmoid(x), backend=backend)(x)  # imports: not what we time
    compiled, start = torch.compile(quick_gelu, backend=backend), perf_counter()
    compiled(x)
    firsts.append((perf_counter() - start) * 1e3)
    functions.append(compiled)
laters = milliseconds(*functions)
rows = [["not compiled", "", f"{laters[0]:.2f} ms"]]
for name, first, later in zip(["eager", "aot_eager", "inductor"], firsts, laters[1:], strict=True):
    rows.append([name, f"{first:,.1f} ms", f"{later:.2f} ms"])
show(Table(["backend", "first call", "later calls"], rows))
eager_ms, inductor_ms, speedup = firsts[0], firsts[2], laters[0] / laters[3]

# region checks
assert inductor_ms > eager_ms and inductor_ms > 10 * laters[3]
# endregion

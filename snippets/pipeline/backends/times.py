# /// lesson
# needs = ["compiler"]
# varies.output = ['[\d,]+\.\d+ ms']
# varies.values = ["scale", "first", "later", "plain", "inductor_ms", "speedup"]
# ///
"""First call and later calls, backend by backend."""

import random
from time import perf_counter

import torch

from compile_lessons import Table, show

scale = random.uniform(1.7, 1.8)  # a new constant: no kernel of an earlier run fits


def quick_gelu(x):
    return x * torch.sigmoid(scale * x)


def sigmoid_only(x):
    return x * torch.sigmoid(x)


def milliseconds(function):
    start = perf_counter()
    function(x)
    return (perf_counter() - start) * 1e3


torch.set_num_threads(1)  # so that other programs on this machine disturb less
torch.empty(1 << 22)  # from now on, glibc keeps freed memory for later calls
x = torch.linspace(-4, 4, 1 << 20)
functions = {"not compiled": quick_gelu}
first_calls = {}
for backend in ("eager", "aot_eager", "inductor"):
    torch.compile(sigmoid_only, backend=backend)(x)  # imports: not what we time
    functions[backend] = torch.compile(quick_gelu, backend=backend)
    first_calls[backend] = milliseconds(functions[backend])
later_calls = {name: [] for name in functions}
for _ in range(150):
    for name, function in functions.items():  # in turn
        later_calls[name].append(milliseconds(function))
plain = min(later_calls["not compiled"])
rows = [["not compiled", "", f"{plain:.2f} ms"]]
for name, first in first_calls.items():
    later = min(later_calls[name])
    rows.append([name, f"{first:,.1f} ms", f"{later:.2f} ms"])
show(Table(["backend", "first call", "later calls"], rows))
inductor_ms = first_calls["inductor"]
speedup = plain / min(later_calls["inductor"])

# region checks
assert inductor_ms > first_calls["eager"]
assert inductor_ms > 10 * min(later_calls["inductor"])
# endregion

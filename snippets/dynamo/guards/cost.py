# /// lesson
# varies.output = ['\d[\d,.]* µs']
# varies.values = ["small_us", "large_us", "microseconds"]
# ///
"""What one guard check costs."""

import re
import timeit

import torch
from torch._dynamo.eval_frame import _debug_get_cache_entry_list

from compile_lessons import Table, show


class Stack(torch.nn.Module):
    def __init__(self, depth):
        super().__init__()
        self.layers = torch.nn.ModuleList(torch.nn.Linear(4, 4) for _ in range(depth))

    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
        return x


def checks_in(entry):
    return len(re.findall(r"\+- [A-Z_]+:", str(entry.guard_manager)))


rows, x = [], torch.ones(1, 4)
for depth in (1, 10, 100):
    torch.compiler.reset()
    model = Stack(depth)
    torch.compile(model, backend="eager")(x)
    [entry] = _debug_get_cache_entry_list(Stack.forward.__code__)
    check = lambda: entry.guard_manager.check({"self": model, "x": x})  # noqa: B023, E731
    assert check()
    microseconds = min(timeit.repeat(check, number=20, repeat=20)) / 20 * 1e6
    rows.append([depth, checks_in(entry), microseconds])

show(Table(["layers", "checks in the tree", "one pass"], [[*row[:2], f"{row[2]:,.1f} µs"] for row in rows]))
small_us, large_us = rows[0][2], rows[-1][2]
small_checks, checks = rows[0][1], rows[-1][1]
assert checks > 5 * small_checks and large_us > small_us

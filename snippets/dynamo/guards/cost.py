# /// lesson
# varies.output = ['\d[\d,.]* µs']
# varies.values = ["small_us", "large_us"]
# ///
"""What one guard check costs."""

import re
import timeit

import torch
from torch._dynamo.eval_frame import _debug_get_cache_entry_list

from compile_lessons import Table, show


def forward(model, x):
    return model(x)


def checks_in(entry):
    return len(re.findall(r"\+- [A-Z_]+:", str(entry.guard_manager)))


rows, times, x = [], [], torch.ones(1, 4)
for depth in (1, 10, 100):
    torch.compiler.reset()
    model = torch.nn.Sequential(*(torch.nn.Linear(4, 4) for _ in range(depth)))
    torch.compile(forward, backend="eager")(model, x)
    [entry] = _debug_get_cache_entry_list(forward)
    check, values = entry.guard_manager.check, {"model": model, "x": x}
    assert check(values)
    seconds = timeit.repeat("check(values)", globals=globals(), number=20, repeat=20)
    times.append(min(seconds) / 20 * 1e6)
    rows.append([depth, checks_in(entry), f"{times[-1]:,.1f} µs"])

show(Table(["layers", "checks in the tree", "one pass"], rows))
small_checks, checks, small_us, large_us = rows[0][1], rows[2][1], times[0], times[2]
# region checks
assert checks > 5 * small_checks and large_us > small_us
# endregion

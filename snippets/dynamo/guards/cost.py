# /// lesson
# varies.output = ['\d[\d,.]* µs']
# varies.values = ["small_us", "large_us"]
# ///
"""What one guard check costs."""

import re
import timeit

import torch

# private: torch has no public way to one version's guards
from torch._dynamo.eval_frame import _debug_get_cache_entry_list

from compile_lessons import Table, show


def forward(model, x):
    return model(x)


rows = []
times = []
x = torch.ones(1, 4)
for depth in (1, 10, 100):
    torch.compiler.reset()
    model = torch.nn.Sequential(*(torch.nn.Linear(4, 4) for _ in range(depth)))
    torch.compile(forward, backend="eager")(model, x)
    [version] = _debug_get_cache_entry_list(forward)
    guards = version.guard_manager
    arguments = {"model": model, "x": x}
    assert guards.check(arguments)
    seconds = timeit.repeat(
        "guards.check(arguments)", globals=globals(), number=20, repeat=20
    )
    times.append(min(seconds) / 20 * 1e6)
    checks = len(re.findall(r"\+- [A-Z_]+:", str(guards)))
    rows.append([depth, checks, f"{times[-1]:,.1f} µs"])
show(Table(["layers", "checks in the tree", "one pass"], rows))
small_checks = rows[0][1]
small_us = times[0]
large_us = times[2]

# region checks
assert checks > 5 * small_checks
assert large_us > small_us
# endregion

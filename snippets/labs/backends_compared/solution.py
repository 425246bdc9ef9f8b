# /// lesson
# data = ["checks.py", "lab.toml"]
# ///
"""Backends compared: write three small tools that show what a backend does to
your code.

1. `compiled_with` returns `fn`, compiled with the given backend. If a part of
   `fn` can't be compiled, a call raises an error.
2. `first_and_later` calls `compiled(x)` once and then `calls` more times. It
   returns the seconds that the first call took, and the median of the seconds
   that the later calls took.
3. `first_wrong` finds the stage that is at fault: it returns the first of
   `backends` with which `fn(x)` raises an exception, or returns a result that
   doesn't match eager mode within tolerance; `None` if there is none.
"""

import statistics
import time

import torch

from compile_lessons.labs import check


def compiled_with(fn, backend):
    return torch.compile(fn, backend=backend, fullgraph=True)


def first_and_later(compiled, x, calls=5):
    times = []
    for _ in range(calls + 1):
        began = time.perf_counter()
        compiled(x)
        times.append(time.perf_counter() - began)
    return times[0], statistics.median(times[1:])


def first_wrong(fn, x, backends=("eager", "aot_eager", "inductor")):
    expected = fn(x)
    for backend in backends:
        try:
            result = compiled_with(fn, backend)(x)
            if not torch.allclose(result, expected, rtol=1e-4, atol=1e-5):
                return backend
        except Exception:
            return backend
    return None


if __name__ == "__main__":
    check("backends_compared", __file__)

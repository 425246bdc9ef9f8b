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


def compiled_with(fn, backend): ...


def first_and_later(compiled, x, calls=5): ...


def first_wrong(fn, x, backends=("eager", "aot_eager", "inductor")): ...


if __name__ == "__main__":
    check("backends_compared", __file__)

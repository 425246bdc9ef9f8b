# /// lesson
# data = ["checks.py", "lab.toml"]
# ///
"""Backends compared: three small tools that you need each time you ask what a
backend does to your code.

1. `compiled_with` returns `fn`, compiled with the given backend, so that a
   part that can't be compiled is an error.
2. `first_and_later` calls `compiled(x)` once and then `calls` times more. It
   returns the seconds of the first call, and the median of the seconds of the
   later ones.
3. `first_wrong` finds the stage that is at fault: it returns the first of
   `backends` with which `fn(x)` raises, or gives a result that does not match
   eager mode within tolerance; `None` if there is none.
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

"""Guard types of functions, classes and objects, and a change that each notices."""

import math  # noqa: F401, named in the examples

import numpy  # noqa: F401, named in the examples
import torch
from torch._dynamo.testing import CompileCounter

from compile_lessons import Table, show

Plain = type("Plain", (), {"size": 2.5})


def helper(x):
    return x + 1


def look(entries):
    found.extend(entry.guard_type for entry in entries if entry.name not in ("", "x"))
    return [True for entry in entries]


plain, rows, seen = Plain(), [], set()
examples = """helper(x) | helper.__code__ = (lambda x: x + 2).__code__
x + math.sqrt(4) | math = numpy
x + isinstance(plain, Plain) | Plain = dict
x * plain.size | plain.size = 3.0
x + hasattr(plain, 'note') | plain.note = 1"""
for code, change in [line.split(" | ") for line in examples.splitlines()]:
    found, counter, function = [], CompileCounter(), eval(f"lambda x: {code}")
    compiled = torch.compile(function, backend=counter, options={"guard_filter_fn": look})
    compiled(torch.ones(4))
    rows.append([code, change, ", ".join(sorted(set(found) - seen))])
    seen.update(found)
    exec(change)
    compiled(torch.ones(4))
    assert counter.frame_count == 2, change
show(Table(["code", "compiled again after", "guard types not seen above"], rows))

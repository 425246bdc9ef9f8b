# /// lesson
# needs = ["compiler"]
# ///
"""A wrong gradient, and the first backend that has it."""

import torch

from compile_lessons import Table, show


def windows(x):
    return (x * 2).unfold(0, 2, 1)  # neighboring windows share an element


def cloned_windows(x):
    return (x * 2).unfold(0, 2, 1).clone()


def gradient(function):
    x = torch.arange(5.0, requires_grad=True)
    function(x).backward(torch.arange(8.0).view(4, 2))
    return x.grad


expected, rows = gradient(windows), []
for function in (windows, cloned_windows):
    for backend in ("eager", "aot_eager", "inductor"):
        torch.compiler.reset()
        found = gradient(torch.compile(function, backend=backend))
        rows.append([function.__name__, backend, str(found.tolist()), torch.equal(found, expected)])
show(Table(["function", "backend", "gradient", "as in eager mode"], rows))
# region checks
assert [row[3] for row in rows] == [True, False, False, True, True, True]
assert expected.tolist() == [0, 6, 14, 22, 14]
# endregion

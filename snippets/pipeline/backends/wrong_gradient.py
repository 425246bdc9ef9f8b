# /// lesson
# needs = ["compiler"]
# ///
"""Three backends find the stage that computes a wrong gradient."""

import torch

from compile_lessons import Table, show


def windows(x):
    return (x * 2).unfold(0, 2, 1)  # all windows of two neighbors, as views


x = torch.arange(4.0, requires_grad=True)
weights = torch.arange(6.0).reshape(3, 2)


def gradient(function):
    return torch.autograd.grad((function(x) * weights).sum(), x)[0].tolist()


rows = [["not compiled", gradient(windows)]]
for backend in ("eager", "aot_eager", "inductor"):
    torch.compiler.reset()
    rows.append([backend, gradient(torch.compile(windows, backend=backend))])
show(Table(["backend", "gradient"], rows))

# region checks
plain, eager, aot_eager, inductor = (row[1] for row in rows)
assert plain == eager == [0.0, 6.0, 14.0, 10.0]  # right: 2 * (0, 1 + 2, 3 + 4, 5)
assert aot_eager == inductor != plain
# endregion

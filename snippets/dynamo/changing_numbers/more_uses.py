# /// lesson
# needs = ["compiler"]
# ///
"""A changing float is a factor and an operator's argument: which calls are right."""

import torch
import torch.nn.functional as F

from compile_lessons import Table, show

x, y = torch.randn(2, 4, 4)


def interpolate(x, p):
    return torch.lerp(x * p, y, p)


def normalize(x, p):
    return F.rms_norm(x * p, (4,), eps=p + 0.1)


def loss(x, p):
    return F.huber_loss(x * p, y, delta=p)


rows = []
for function in (interpolate, normalize, loss):
    compiled = torch.compile(function)
    row = [function.__name__]
    for p in (1.0, 2.0, 3.0):
        is_right = torch.allclose(compiled(x, p), function(x, p), atol=1e-5)
        row.append("right" if is_right else "wrong")
    rows.append(row)
show(Table(["function", "p = 1", "p = 2", "p = 3"], rows))

# region checks
assert [row[1:3] for row in rows] == [["right", "right"]] * 3
assert [row[3] for row in rows] == ["wrong", "wrong", "right"]
# endregion

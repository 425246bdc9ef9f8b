# /// lesson
# needs = ["compiler"]
# ///
"""The first backend whose result differs names the stage with the bug."""

import torch

from compile_lessons import Table, show


def windows(x):
    return (x * 2).unfold(0, 3, 1)


# region copy
def gradient(function, weight):
    x = torch.linspace(0, 1, 12, requires_grad=True)
    return torch.autograd.grad((function(x) * weight).sum(), x)[0]


weights, rows = (torch.rand(10, 3), torch.ones(10, 3)), []
for backend in ("eager", "aot_eager", "aot_eager_decomp_partition", "inductor"):
    torch.compiler.reset()
    compiled = torch.compile(windows, backend=backend)
    rows.append([backend])
    for weight in weights:
        rows[-1].append(torch.allclose(gradient(compiled, weight), gradient(windows, weight)))
# endregion
show(Table(["backend", "random weights: matches", "all weights 1: matches"], rows))
# region checks
assert [row[1:] for row in rows] == [[True, True]] + [[False, True]] * 3
# endregion

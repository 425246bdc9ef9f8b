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


def gradients_match(compiled, weight):
    return torch.allclose(gradient(compiled, weight), gradient(windows, weight))


rows = []
for backend in ("eager", "aot_eager", "aot_eager_decomp_partition", "inductor"):
    torch.compiler.reset()
    compiled = torch.compile(windows, backend=backend)
    random_weights = gradients_match(compiled, torch.rand(10, 3))
    equal_weights = gradients_match(compiled, torch.ones(10, 3))
    rows.append([backend, random_weights, equal_weights])
# endregion
show(Table(["backend", "random weights: matches", "all weights 1: matches"], rows))

# region checks
assert rows[0][1:] == [True, True]
assert [row[1:] for row in rows[1:]] == [[False, True]] * 3
# endregion

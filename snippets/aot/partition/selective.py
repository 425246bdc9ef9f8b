"""Selective checkpoints: a list of the operators whose results a checkpoint keeps."""

from functools import partial

import torch
from torch.utils.checkpoint import checkpoint, create_selective_checkpoint_contexts

from compile_lessons import Table, capture, show

up = torch.nn.Linear(64, 256)
down = torch.nn.Linear(256, 64)
x = torch.randn(512, 64, requires_grad=True)


def mlp(x):
    return torch.nn.functional.gelu(down(torch.nn.functional.gelu(up(x))))


def keeping(*operators):
    """Return the MLP in a checkpoint that keeps the results of these operators."""
    contexts = partial(create_selective_checkpoint_contexts, list(operators))
    return partial(checkpoint, mlp, use_reentrant=False, context_fn=contexts)


functions = {
    "no checkpoint": mlp,
    "keep nothing": partial(checkpoint, mlp, use_reentrant=False),
    "keep addmm": keeping(torch.ops.aten.addmm.default),
    "keep mm": keeping(torch.ops.aten.mm.default),
}
rows = []
for name, function in functions.items():
    [graph] = capture(function, until="aot")(x).graphs
    results = [value for value in graph.saved if "primals" not in value.name]
    kib = sum(value.bytes for value in results) // 1024
    targets = [str(node.target) for node in graph.backward.calls]
    again = targets.count("aten.addmm.default")
    rows.append([name, kib, again])
show(Table(["checkpoint", "KiB saved", "layers computed again"], rows))
# region checks
assert [row[2] for row in rows] == [0, 2, 0, 2]
assert rows[0][1] > rows[2][1] > rows[1][1] == rows[3][1] == 0
[expected] = torch.autograd.grad(mlp(x).sum(), x)
for function in functions.values():
    result = torch.compile(function, backend="aot_eager")(x)
    [gradient] = torch.autograd.grad(result.sum(), x)
    torch.testing.assert_close(gradient, expected)
# endregion

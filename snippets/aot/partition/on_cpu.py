# /// lesson
# needs = ["compiler"]
# ///
"""Saved tensors on the CPU: save_on_cpu around a compiled model, and inside it."""

import torch
from torch.autograd.graph import save_on_cpu

from compile_lessons import Table, keep_graphs, show

layers = [torch.nn.Linear(256, 256) for _ in range(3)]
x = torch.randn(512, 256, requires_grad=True)


def model(x):
    for layer in layers:
        x = torch.nn.functional.gelu(layer(x))
    return x.sum()


def model_with_hooks(x):
    with save_on_cpu():
        for layer in layers:
            x = torch.nn.functional.gelu(layer(x))
    return x.sum()


kept = keep_graphs(then="inductor")
with save_on_cpu():
    around = torch.compile(model, backend=kept)(x)
graphs_around = len(kept.graphs)
inside = torch.compile(model_with_hooks, backend=kept)(x)
graphs_inside = len(kept.graphs) - graphs_around
rows = [["around the call", graphs_around], ["inside", graphs_inside]]
show(Table(["save_on_cpu", "graphs"], rows))
# region checks
assert graphs_around == 1
assert graphs_inside == 0
[expected] = torch.autograd.grad(model(x), x)
for loss in (around, inside):
    [gradient] = torch.autograd.grad(loss, x)
    torch.testing.assert_close(gradient, expected)
# endregion

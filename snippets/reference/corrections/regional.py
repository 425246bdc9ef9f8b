# /// lesson
# env = {TORCH_LOGS = "-all"}
# ///
"""Compile each of 16 layers: the graphs depend on the layers and on the first input."""

import torch

from compile_lessons import Table, keep_graphs, show


class Layer(torch.nn.Linear):
    def forward(self, x):
        return super().forward(x).relu()


class Scaled(torch.nn.Linear):
    def __init__(self, number):
        super().__init__(10, 10)
        self.number = number

    def forward(self, x):
        return super().forward(x) / (self.number + 1)


# region layers
def compiles(layers, gradient=True):
    torch.compiler.reset()
    kept = keep_graphs()
    x = torch.ones(2, 10, requires_grad=gradient)
    for layer in layers:
        x = torch.compile(layer, backend=kept)(x)
    return len(kept.graphs)


equal = [Layer(10, 10) for _ in range(16)]
half_frozen = [Layer(10, 10).requires_grad_(n > 7) for n in range(16)]
numbered = [Scaled(n) for n in range(16)]
no_gradient = compiles(equal, gradient=False)
rows = [
    ["equal layers", compiles(equal)],
    ["equal layers, the first input needs no gradient", no_gradient],
    ["half of them frozen", compiles(half_frozen)],
    ["each uses its number", compiles(numbered)],
]
show(Table(["16 layers", "compiles"], rows))
# endregion
# region checks
assert [row[1] for row in rows] == [1, 2, 2, 8]
# endregion

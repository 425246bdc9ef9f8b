# /// lesson
# env = {TORCH_LOGS = "-all"}
# ///
"""Compile each of 16 layers: how many graphs there are depends on the layers and on the first input."""

import torch

from compile_lessons import Table, show


class Layer(torch.nn.Linear):
    def forward(self, x):
        return super().forward(x).relu()


class Scaled(torch.nn.Linear):
    def forward(self, x):
        return super().forward(x) / (self.number + 1)


def keep_graph(graph_module, example_inputs):
    graphs.append(graph_module)
    return graph_module.forward


equal, scaled = [Layer(10, 10) for _ in range(16)], [Scaled(10, 10) for _ in range(16)]
frozen = [Layer(10, 10).requires_grad_(n > 7) for n in range(16)]
for number, layer in enumerate(scaled):
    layer.number = number
cases = {
    "equal layers": (equal, True),
    "equal layers, the first input needs no gradient": (equal, False),
    "half of them frozen": (frozen, True),
    "each uses its number": (scaled, True),
}
rows = []
for name, (layers, gradient) in cases.items():
    torch.compiler.reset()
    graphs, x = [], torch.ones(2, 10, requires_grad=gradient)
    for layer in layers:
        x = torch.compile(layer, backend=keep_graph)(x)
    rows.append([name, len(graphs)])
show(Table(["16 layers", "compiles"], rows))
# region checks
assert [row[1] for row in rows] == [1, 2, 2, 8]
# endregion

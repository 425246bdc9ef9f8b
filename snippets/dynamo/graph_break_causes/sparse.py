# /// lesson
# needs = ["compiler"]
# ///
"""A graph convolution over a sparse matrix of edges, in four forms."""

import torch

from compile_lessons import Table, capture, show


# region layers
class Layer(torch.nn.Module):
    def __init__(self, edges):
        super().__init__()
        self.register_buffer("edges", edges)

    def forward(self, x):
        return torch.relu(torch.sparse.mm(self.edges, torch.relu(x * 2)) @ weight)


class Disabled(Layer):
    @torch.compiler.disable
    def neighbors(self, x):
        return torch.sparse.mm(self.edges, x)

    def forward(self, x):
        return torch.relu(self.neighbors(torch.relu(x * 2)) @ weight)


class Indices(Disabled):
    def neighbors(self, x):
        rows, columns = self.edges
        return torch.zeros_like(x).index_add(0, rows, x[columns])


# endregion
weight = torch.randn(8, 8)
x = torch.randn(64, 8)
edges = torch.eye(64).roll(1, 0).to_sparse()
indices = edges.indices()
rows = []
for model in (Layer(edges), Disabled(edges), Indices(indices), Layer(edges.to_dense())):
    pipeline = capture(model, machine_code=False)(x)
    layout = str(model.edges.layout).removeprefix("torch.")
    counts = [len(pipeline.graphs), len(pipeline.breaks), len(pipeline.kernels)]
    rows.append([type(model).__name__, layout, *counts])
show(Table(["class", "layout of edges", "graphs", "graph breaks", "kernels"], rows))

# region checks
torch.testing.assert_close(Indices(indices)(x), Layer(edges)(x))
assert [row[2:4] for row in rows] == [[0, 1], [2, 1], [1, 0], [1, 0]]
# endregion

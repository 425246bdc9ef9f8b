"""Only calls of the module are compiled, not its other methods."""

import torch

from compile_lessons import Table, keep_graphs, show


# region model
class Model(torch.nn.Module):
    def forward(self, x):
        return x.sin() + 1

    def generate(self, x):
        return self(self(x))

    def embed(self, x):
        return x.cos() + 1


# endregion


def count_graphs_of(method, in_place):
    torch.compiler.reset()
    kept = keep_graphs()
    model = Model()
    if in_place:
        model.compile(backend=kept)
    else:
        model = torch.compile(model, backend=kept)
    getattr(model, method)(torch.ones(4))
    return len(kept.graphs)


rows = []
for method in ("__call__", "forward", "generate", "embed"):
    wrapped = count_graphs_of(method, in_place=False)
    rows.append([method, wrapped, count_graphs_of(method, in_place=True)])
columns = ["you call", "graphs of torch.compile(model)", "graphs of model.compile()"]
show(Table(columns, rows))

# region checks
assert [row[1] for row in rows] == [1, 1, 0, 0]
assert [row[2] for row in rows] == [1, 0, 1, 0]
# endregion

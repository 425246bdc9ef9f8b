"""Only calls of the module are compiled, not its other methods."""

import torch

from compile_lessons import Table, show


# region model
class Model(torch.nn.Module):
    def forward(self, x):
        return x.sin() + 1

    def generate(self, x):
        return self(self(x))

    def embed(self, x):
        return x.cos() + 1


# endregion


def keep_graph(graph_module, example_inputs):
    graphs.append(graph_module)
    return graph_module.forward


graphs, rows = [], []
for form in ["torch.compile(model)", "model.compile()"]:
    for method in ["__call__", "forward", "generate", "embed"]:
        torch.compiler.reset()
        graphs.clear()
        model = Model()
        if form == "model.compile()":
            model.compile(backend=keep_graph)
        else:
            model = torch.compile(model, backend=keep_graph)
        getattr(model, method)(torch.ones(4))
        rows.append([form, method, len(graphs)])
show(Table(["compiled by", "you call", "graphs"], rows))

# region checks
assert [row[2] for row in rows] == [1, 1, 0, 0, 1, 0, 1, 0]
# endregion

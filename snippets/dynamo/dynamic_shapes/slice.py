"""An int argument that changes is a symbol too, an int attribute of a module is not."""

import torch

from compile_lessons import Table, count_recompiles, show


class Head(torch.nn.Module):
    def forward(self, x):
        return x[: self.n].sum()


def keep_graph(graph_module, example_inputs):
    graphs.append(graph_module)
    return graph_module.forward


x, graphs, module = torch.ones(64), [], Head()
arguments = 1 + count_recompiles(lambda x, n: x[:n].sum())([(x, n) for n in range(20)])
compiled = torch.compile(module, backend=keep_graph)
for module.n in range(2, 8):
    compiled(x)
attributes = len(graphs)

show(Table(["n is", "values", "compiles"], [["an argument", 20, arguments], ["an attribute", 6, attributes]]))
# region checks
assert (arguments, attributes) == (2, 6)
# endregion

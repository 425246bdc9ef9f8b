"""Changes that need a new version, and changes that don't."""

import torch

from compile_lessons import Table, show

numbers = [7] * 1000


def plus_first(x, note, unused):
    return x + numbers[0]


def keep_graph(graph_module, example_inputs):
    graphs.append(graph_module)
    return graph_module.forward


graphs, rows, x = [], [], torch.ones(4)
compiled = torch.compile(plus_first, backend=keep_graph)
changes = {
    "first call": lambda: (x, "first", x),
    "a different note": lambda: (x, "second", x),
    "a different unused tensor": lambda: (x, "second", torch.ones(5, 5)),
    "a different numbers[500]": lambda: numbers.__setitem__(500, 8) or (x, "second", x),
    "a longer list": lambda: numbers.append(9) or (x, "second", x),
    "gradients off": lambda: [torch.set_grad_enabled(False)] and (x, "second", x),
}
for change, arguments in changes.items():
    before = len(graphs)
    compiled(*arguments())
    rows.append([change, "yes" if len(graphs) > before else "no"])
show(Table(["call", "compiles"], rows))
# region checks
assert [row[1] for row in rows] == ["yes", "no", "no", "no", "yes", "yes"]
# endregion

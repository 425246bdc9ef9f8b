"""Six values of a number, and how often the function compiles: it depends on the use."""

import torch
import torch.nn.functional as F

from compile_lessons import Table, show


def keep_graph(graph_module, example_inputs):
    graphs.append(graph_module)
    return graph_module.forward


def loop(x, n):
    for _ in range(n):
        x = x + 1
    return x


floats, ints = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6), (2, 3, 4, 5, 6, 7)
uses = {
    "x * c, a float": (lambda x, c: x * c, floats),
    "x[:n]": (lambda x, n: x[:n], ints),
    "if n > 3": (lambda x, n: x + 1 if n > 3 else x - 1, ints),
    "for _ in range(n)": (loop, ints),
    "F.dropout(x, p)": (lambda x, p: F.dropout(x, p), floats),
}
rows = []
for name, (function, values) in uses.items():
    torch.compiler.reset()
    graphs, compiled = [], torch.compile(function, backend=keep_graph)
    for value in values:
        compiled(torch.ones(8), value)
    rows.append([name, len(graphs)])
show(Table(["use", "compiles"], rows))
multiplied, sliced, compared, looped, dropped = (row[1] for row in rows)
# region checks
assert (multiplied, sliced, compared, looped, dropped) == (2, 2, 3, 6, 6)
# endregion

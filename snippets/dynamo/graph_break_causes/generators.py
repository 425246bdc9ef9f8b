"""Count the graphs of a generator function, and of a function that loops over an iterator it is given."""

import torch

from compile_lessons import Table, show


def double_all(tensors):
    for tensor in tensors:
        yield tensor * 2


def total(tensors):
    return sum(tensor * 2 for tensor in tensors)


def keep_graph(graph_module, example_inputs):
    graphs.append(graph_module)
    return graph_module.forward


xs = [torch.ones(8), torch.ones(8)]
calls = {
    "a generator function": (lambda xs: list(torch.compile(double_all, backend=keep_graph)(xs)), xs),
    "total(x for x in xs)": (torch.compile(total, backend=keep_graph), (x for x in xs)),
    "total(iter(xs))": (torch.compile(total, backend=keep_graph), iter(xs)),
    "total(batches.values())": (torch.compile(total, backend=keep_graph), dict(enumerate(xs)).values()),
    "total(xs)": (torch.compile(total, backend=keep_graph), xs),
}
rows = []
for name, (function, argument) in calls.items():
    torch.compiler.reset()
    graphs = []
    function(argument)
    rows.append([name, len(graphs)])
show(Table(["what is compiled", "graphs"], rows))


# region checks
def add_all(x, pairs):
    for pair in pairs:
        x = x + pair[0]
    return x


assert [row[1] for row in rows] == [0, 0, 0, 0, 1]
lists = [1, 2], [3, 4]
for argument, expected in (
    (zip(*lists, strict=True), 0),
    (enumerate([5]), 0),
    ({1: 2}.items(), 0),
    (list(zip(*lists, strict=True)), 1),
):
    torch.compiler.reset()
    graphs = []
    torch.compile(add_all, backend=keep_graph)(torch.ones(2), argument)
    assert len(graphs) == expected, argument
# endregion

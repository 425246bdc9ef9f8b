"""A compiled generator function gives no graph, nor does a function that is given a generator."""

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
    "a generator function": lambda compile: list(compile(double_all)(xs)),
    "a function, given a generator": lambda compile: compile(total)(x for x in xs),
    "a function, given a list": lambda compile: compile(total)(xs),
}
rows, graphs = [], []
for what, call in calls.items():
    torch.compiler.reset()
    graphs.clear()
    call(lambda function: torch.compile(function, backend=keep_graph))
    rows.append([what, len(graphs)])
show(Table(["what is compiled", "graphs"], rows))

# region checks
assert [row[1] for row in rows] == [0, 0, 1]
# endregion

"""What a version does not depend on, and what it does."""

import torch

from compile_lessons import Table, show

numbers = [7] * 1000


def plus_first(x, note):
    return x + numbers[0]


def keep_graph(graph_module, example_inputs):
    graphs.append(graph_module)
    return graph_module.forward


def look(entries):
    guarded.extend(entry.name for entry in entries if "numbers" in entry.name)
    return [True for entry in entries]


graphs, guarded, rows, x = [], [], [], torch.ones(4)
compiled = torch.compile(plus_first, backend=keep_graph, options={"guard_filter_fn": look})
compiled(x, "first")
at_first = sorted(set(guarded))
compiled(x, "second")
rows.append(["another note", len(graphs)])
numbers[500] = 8
compiled(x, "second")
rows.append(["another numbers[500]", len(graphs)])
with torch.no_grad():
    compiled(x, "second")
rows.append(["torch.no_grad()", len(graphs)])
numbers.append(9)
compiled(x, "second")
rows.append(["a longer list", len(graphs)])

show(Table(["after a call with", "versions"], rows))
print("guarded at first:", *at_first)
assert [row[1] for row in rows] == [1, 1, 2, 3] and at_first == ["G['numbers']", "G['numbers'][0]"]

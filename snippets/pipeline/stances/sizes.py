"""eager_then_compile sees two calls before it compiles, so a changing size is dynamic at once."""

import torch

from compile_lessons import Table, show


def scaled(x):
    return x.sin() * 2


def keep_graph(graph_module, example_inputs):
    graphs.append(graph_module)
    return graph_module.forward


rows = []
for stance in ["default", "eager_then_compile"]:
    torch.compiler.reset()
    graphs, counts = [], []
    compiled = torch.compile(scaled, backend=keep_graph)
    with torch.compiler.set_stance(stance):
        for size in [4, 5, 6, 7]:
            compiled(torch.ones(size))
            counts.append(len(graphs))
    rows.append([stance, *counts])
show(Table(["graphs so far, after size", "4", "5", "6", "7"], rows))

# region checks
assert [row[1:] for row in rows] == [[1, 2, 2, 2], [0, 1, 1, 1]]
# endregion

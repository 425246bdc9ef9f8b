"""With .grad set to None before each step, compiled autograd compiles once."""

import torch

from compile_lessons import Table, show


def step(w):
    w.sin().sum().backward()


def keep_graph(graph_module, example_inputs):
    graphs.append(graph_module)
    return graph_module.forward


rows = []
for clear in (False, True):
    torch.compiler.reset()
    graphs, counts, w = [], [], torch.ones(4, requires_grad=True)
    optimizer = torch.optim.SGD([w])
    with torch._dynamo.config.patch(compiled_autograd=True):
        compiled = torch.compile(step, backend=keep_graph)
        for _ in range(4):
            if clear:
                optimizer.zero_grad()
            compiled(w)
            counts.append(len(graphs))
    rows.append(["zero_grad() before each step" if clear else "gradients add up", str(counts)])
show(Table(["training loop", "graphs after steps 1, 2, 3, 4"], rows))
# region checks
assert [row[1] for row in rows] == ["[2, 3, 3, 3]", "[2, 2, 2, 2]"]
# endregion

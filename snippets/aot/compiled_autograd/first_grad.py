"""With .grad set to None before each step, compiled autograd compiles once."""

import torch

from compile_lessons import Table, keep_graphs, show

torch._dynamo.config.compiled_autograd = True


def step(w):
    w.sin().sum().backward()


def graphs_after_each_step(clear):
    torch.compiler.reset()
    w = torch.ones(4, requires_grad=True)
    optimizer = torch.optim.SGD([w])
    kept = keep_graphs()
    compiled = torch.compile(step, backend=kept)
    counts = []
    for _ in range(4):
        if clear:
            optimizer.zero_grad()
        compiled(w)
        counts.append(len(kept.graphs))
    return str(counts)


rows = [
    ["gradients add up", graphs_after_each_step(clear=False)],
    ["zero_grad() before each step", graphs_after_each_step(clear=True)],
]
show(Table(["training loop", "graphs after steps 1, 2, 3, 4"], rows))
# region checks
assert [row[1] for row in rows] == ["[2, 3, 3, 3]", "[2, 2, 2, 2]"]
# endregion

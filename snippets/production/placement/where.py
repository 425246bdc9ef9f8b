# /// lesson
# env = {TORCH_LOGS = "-all"}
# ///
"""One training step of a small language model, with torch.compile in five places."""

import torch
from _model import Model, count_operations
from torch.nn.functional import cross_entropy

from compile_lessons import Table, keep_graphs, show


# region step
def loss(tokens):
    logits = model(tokens[:, :-1])
    return cross_entropy(logits.flatten(0, 1), tokens[:, 1:].flatten())


def step(tokens):
    loss(tokens).backward()
    optimizer.step()


# endregion
tokens = torch.randint(0, 64, (4, 9))
rows = []
for place in ("each block", "the model", "the loss", "the step", "optimizer.step"):
    torch.compiler.reset()
    kept = keep_graphs()
    model = Model(layers=3)
    optimizer = torch.optim.Adam(model.parameters())
    if place == "each block":
        for block in model.blocks:
            block.compile(backend=kept)
        step(tokens)
    elif place == "the model":
        model.compile(backend=kept)
        step(tokens)
    elif place == "the loss":
        torch.compile(loss, backend=kept)(tokens).backward()
        optimizer.step()
    elif place == "the step":
        torch.compile(step, backend=kept)(tokens)
    elif place == "optimizer.step":
        loss(tokens).backward()
        torch.compile(optimizer.step, backend=kept)()
    operations = [count_operations(graph) for graph in kept.graphs]
    rows.append([place, len(operations), ", ".join(map(str, operations))])
show(Table(["compiled", "graphs", "operations in them"], rows))

# region checks
assert [row[1] for row in rows] == [1, 1, 1, 2, 1]
assert rows[1][2] == "17"
assert rows[2][2] == "22"
# endregion

# /// lesson
# env = {TORCH_LOGS = "-all"}
# ///
"""Which parts of a training step are captured: it depends on what you compile."""

import torch

from compile_lessons import Table, keep_graphs, show


class Model(torch.nn.Linear):
    def forward(self, x):
        return super().forward(x).relu()


def step(model, optimizer, x):
    optimizer.zero_grad()
    model(x).sum().backward()
    optimizer.step()


# region compiled
def captured(what):
    """Return the graphs, and whether one has the forward pass or the update."""
    torch.compiler.reset()
    kept = keep_graphs()
    model = Model(4, 4)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    run = step
    if what == "the model":
        model.compile(backend=kept)
    if what == "optimizer.step":
        optimizer.step = torch.compile(optimizer.step, backend=kept)
    if what == "the whole step":
        run = torch.compile(step, backend=kept)
    run(model, optimizer, torch.ones(2, 4))
    code = " ".join(graph.code for graph in kept.graphs)
    forward = "yes" if "linear(" in code else "no"
    update = "yes" if "add_(" in code else "no"  # how SGD changes a weight
    return [len(kept.graphs), forward, update]


# endregion
rows = []
for what in ("the model", "optimizer.step", "the whole step"):
    rows.append([what, *captured(what)])
show(Table(["compiled", "graphs", "forward captured", "update captured"], rows))
# region checks
counts = [row[1:] for row in rows]
assert counts == [[1, "yes", "no"], [1, "no", "yes"], [2, "yes", "yes"]]
# endregion

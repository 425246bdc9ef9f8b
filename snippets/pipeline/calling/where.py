# /// lesson
# env = {TORCH_LOGS = "-dynamo"}
# ///
"""The graphs of one training step, by what is compiled."""

import torch

from compile_lessons import Table, keep_graphs, show


# region pieces
class Block(torch.nn.Linear):
    def forward(self, x):
        return x + torch.tanh(super().forward(x))


def loss(x):
    return model(x).square().mean()


def step(x):
    loss(x).backward()
    optimizer.step()


# endregion
def count_operations(kept):
    counts = []
    for module in kept.graphs:
        calls = [node for node in module.graph.nodes if node.op.startswith("call_")]
        counts.append(len(calls))
    return str(counts)


model = torch.nn.Sequential(*[Block(16, 16) for _ in range(12)])
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
x = torch.ones(8, 16)
rows = []
for name, function in {"model": model, "loss": loss, "step": step}.items():
    kept = keep_graphs()
    torch.compile(function, backend=kept)(x)
    rows.append([f"torch.compile({name})", len(kept.graphs), count_operations(kept)])
kept = keep_graphs()
for block in model:
    block.compile(backend=kept)
model(x)
rows.append(["block.compile() for each", len(kept.graphs), count_operations(kept)])
show(Table(["compiled", "graphs", "operations in each"], rows))

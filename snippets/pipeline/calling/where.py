# /// lesson
# env = {TORCH_LOGS = "-dynamo"}
# ///
"""The graphs of one training step, by what is compiled."""

import torch

from compile_lessons import Table, show


class Block(torch.nn.Linear):
    def forward(self, x):
        return x + torch.tanh(super().forward(x))


# region pieces
def loss(x):
    return model(x).square().mean()


def step(x):
    loss(x).backward()
    optimizer.step()


# endregion


def keep_graph(graph_module, example_inputs):
    graphs.append(sum(node.op.startswith("call_") for node in graph_module.graph.nodes))
    return graph_module.forward


model = torch.nn.Sequential(*[Block(16, 16) for _ in range(12)])
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
graphs, rows, x = [], [], torch.ones(8, 16)
for name, function in {"model": model, "loss": loss, "step": step}.items():
    torch.compile(function, backend=keep_graph)(x)
    rows.append([f"torch.compile({name})", len(graphs), str(graphs)])
    graphs.clear()
for block in model:
    block.compile(backend=keep_graph)
model(x)
rows.append(["block.compile() for each block", len(graphs), str(graphs)])
show(Table(["compiled", "graphs", "operations in each"], rows))

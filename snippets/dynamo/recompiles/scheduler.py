# /// lesson
# env = {TORCH_LOGS = "-dynamo"}
# ///
"""A learning rate that changes at every step."""

import torch

from compile_lessons import Table, show

model = torch.nn.Linear(4, 4)
model(torch.ones(1, 4)).sum().backward()


def keep_graph(graph_module, example_inputs):
    graphs.append(graph_module)
    return graph_module.forward


rows = []
for learning_rate in (0.01, torch.tensor(0.01)):
    torch.compiler.reset()
    graphs, row = [], [type(learning_rate).__name__]
    optimizer = torch.optim.Adam(model.parameters(), lr=learning_rate)
    scheduler = torch.optim.lr_scheduler.ExponentialLR(optimizer, gamma=0.9)
    step = torch.compile(optimizer.step, backend=keep_graph)
    for _ in range(10):
        step()
        scheduler.step()
        row.append(len(graphs))
    rows.append(row)

show(Table(["lr is a", *(f"step {i}" for i in (1, 2, 3, 10))], [[*row[:4], row[10]] for row in rows]))
float_graphs, tensor_graphs = rows[0][-1], rows[1][-1]
# region checks
assert rows[0][1:] == [1] + [2] * 9 and rows[1][1:] == [1] * 10
# endregion

# /// lesson
# env = {TORCH_LOGS = "-dynamo"}
# ///
"""A learning rate that changes at every step."""

import torch

from compile_lessons import Table, show

model = torch.nn.Linear(4, 4)
model(torch.ones(1, 4)).sum().backward()


def graphs_per_step(learning_rate):
    graphs, counts = [], []

    def keep_graph(graph_module, example_inputs):
        graphs.append(graph_module)
        return graph_module.forward

    torch.compiler.reset()
    optimizer = torch.optim.Adam(model.parameters(), lr=learning_rate)
    scheduler = torch.optim.lr_scheduler.ExponentialLR(optimizer, gamma=0.9)
    step = torch.compile(lambda: optimizer.step(), backend=keep_graph)
    for _ in range(10):
        step()
        scheduler.step()
        counts.append(len(graphs))
    return counts


by_float, by_tensor = graphs_per_step(0.01), graphs_per_step(torch.tensor(0.01))
rows = [[lr, *counts[:3], counts[9]] for lr, counts in (("float", by_float), ("tensor", by_tensor))]
show(Table(["lr is a", "step 1", "step 2", "step 3", "step 10"], rows))
float_graphs, tensor_graphs = by_float[-1], by_tensor[-1]
assert (float_graphs, tensor_graphs) == (2, 1) and by_float[1] == 2

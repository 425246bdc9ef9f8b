"""Keep what torch.compile returns."""

import torch


def keep_graph(graph_module, example_inputs):
    graphs.append(graph_module)
    return graph_module.forward


model = torch.nn.Sequential(torch.nn.Linear(4, 4), torch.nn.ReLU())
graphs, x = [], torch.ones(2, 4)

torch.compile(model, backend=keep_graph)  # the result is dropped
for _ in range(3):
    model(x)
print("graphs, result dropped:", dropped := len(graphs))

compiled = torch.compile(model, backend=keep_graph)  # leave out backend= for Inductor
for _ in range(3):
    compiled(x)
print("graphs, result kept:   ", kept := len(graphs))

# region checks
assert (dropped, kept) == (0, 1)
# endregion

"""torch.compile returns something, and the caller drops it."""

import warnings

import torch

warnings.simplefilter("error")  # a warning would end this program
graphs = []


def keep_graph(graph_module, example_inputs):
    graphs.append(graph_module)
    return graph_module.forward


model = torch.nn.Sequential(torch.nn.Linear(4, 4), torch.nn.ReLU())
torch.compile(model, backend=keep_graph)  # the result is lost

for _ in range(3):
    model(torch.ones(2, 4))

graph_count = len(graphs)
print("graphs:", graph_count)
assert graph_count == 0

"""Step 1: a backend that prints its graph and returns it unchanged."""

import torch


def print_graph(graph_module, example_inputs):
    for node in graph_module.graph.nodes:
        print(f"{node.op:13} {node.name:8} = {node.target} {node.args}")
    return graph_module.forward


def scaled_sum(x, y):
    return (torch.relu(x) * y).sum() + 1


x = torch.tensor([-1.0, 2.0])
y = torch.tensor([3.0, 4.0])
result = torch.compile(scaled_sum, backend=print_graph)(x, y)
print("result:", result)
# region checks
assert result == scaled_sum(x, y) == 9
# endregion

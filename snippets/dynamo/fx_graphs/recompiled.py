"""Recompile the module after a change to its graph."""

import torch


def swap_relu(graph_module, example_inputs):
    print("before:", graph_module.code.split("\n")[5].strip())
    for node in graph_module.graph.nodes:
        if node.target is torch.relu:
            node.target = torch.sigmoid
    graph_module.graph.lint()
    graph_module.recompile()
    print("after: ", graph_module.code.split("\n")[5].strip())
    return graph_module.forward


x = torch.tensor([-1.0, 0.0, 1.0])
result = torch.compile(lambda x: torch.relu(x), backend=swap_relu)(x)
print("result:", result)
assert result.equal(torch.sigmoid(x))

"""A change to the graph that has no effect."""

import torch


def swap_relu(graph_module, example_inputs):
    print("before:", graph_module.code.split("\n")[5].strip())
    for node in graph_module.graph.nodes:
        if node.target is torch.relu:
            node.target = torch.sigmoid
    print("graph: ", [node.target.__name__ for node in graph_module.graph.nodes if node.op == "call_function"])
    print("after: ", graph_module.code.split("\n")[5].strip())
    return graph_module.forward


x = torch.tensor([-1.0, 0.0, 1.0])
result = torch.compile(lambda x: torch.relu(x), backend=swap_relu)(x)
print("result:", result)
assert result.equal(torch.relu(x))

"""One print in the middle turns one function into two graphs."""

import torch


def shifted_square(x):
    y = torch.relu(x) + 1
    print("halfway")
    return y * y


def keep_graph(graph_module, example_inputs):
    graphs.append(graph_module)
    operators = [node.name for node in graph_module.graph.nodes if node.op == "call_function"]
    print(f"compiling graph {len(graphs)}: {operators}")
    return graph_module.forward


graphs = []
compiled = torch.compile(shifted_square, backend=keep_graph)
print("first call")
compiled(torch.ones(8))
print("second call")
compiled(torch.ones(8))

# region checks
graph_count = len(graphs)
assert graph_count == 2
# endregion

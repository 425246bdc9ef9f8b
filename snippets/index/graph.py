"""What Dynamo records of a function."""

import re

import torch


# region function
def quick_gelu(x):
    return x * torch.sigmoid(1.702 * x)


# endregion


graphs = []


def keep_graph(graph_module, example_inputs):
    graphs.append(graph_module)
    return graph_module.forward


torch.compile(quick_gelu, backend=keep_graph)(torch.ones(512))
print(re.sub(r";  (\w+ = )+None", "", graphs[0].code.strip()))  # without the notes on what is freed

operators = sum(node.op == "call_function" for node in graphs[0].graph.nodes)
assert (len(graphs), operators) == (1, 3)

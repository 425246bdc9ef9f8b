"""The graph Dynamo hands to the backend."""

import torch


def quick_gelu(x):
    return x * torch.sigmoid(1.702 * x)


def show_graph(graph_module, example_inputs):
    graph_module.print_readable()
    for node in graph_module.graph.nodes:
        print(f"{node.op:14} {node.name:8} {getattr(node.target, '__name__', '')}")
        targets.append(node.target)
    return graph_module.forward


targets = []
torch.compile(quick_gelu, backend=show_graph)(torch.ones(512))

operators = sum(callable(target) for target in targets)
assert operators == 3 and torch.sigmoid in targets
assert torch.ops.aten.sigmoid.default not in targets

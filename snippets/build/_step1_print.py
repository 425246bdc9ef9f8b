"""Step 1: print the graph and return it.

A backend is a function. Dynamo calls it with each graph and with inputs like those of
the call, and runs what it returns in place of the graph.
"""

import torch


def print_graph(graph_module, example_inputs):
    for node in graph_module.graph.nodes:
        print(f"{node.op:13} {node.name:8} = {node.target} {node.args}")
    return graph_module.forward


if __name__ == "__main__":
    compiled = torch.compile(torch.nn.functional.softplus, backend=print_graph)
    compiled(torch.randn(3))

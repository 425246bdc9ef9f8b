"""substitute_in_graph: a Python version of a C function, for Dynamo only."""

import bisect

import torch


@torch.compiler.substitute_in_graph(bisect.bisect_right, skip_signature_check=True)
def bisect_right(items, value):
    for position, item in enumerate(items):
        if value < item:
            return position
    return len(items)


graphs = []


def keep_graph(graph_module, example_inputs):
    graphs.append(graph_module)
    return graph_module.forward


def bucket(x, value):
    return x * bisect.bisect_right([1, 2, 4, 8], value)


compiled = torch.compile(bucket, backend=keep_graph, fullgraph=True)
print(compiled(torch.ones(3), 5))
print("in eager mode:", bucket(torch.ones(3), 5))
graph_count = len(graphs)
assert graph_count == 1

"""A print that is moved behind the graph."""

import torch


def shifted_square(x):
    y = torch.relu(x) + 1
    print("y is", y, f"with shape {tuple(y.shape)}")
    z = y * y
    print("z is", z)
    return z


graphs = []


def keep_graph(graph_module, example_inputs):
    graphs.append(graph_module)

    def run(*inputs):
        print("the graph runs")
        return graph_module(*inputs)

    return run


torch._dynamo.config.reorderable_logging_functions.add(print)
compiled = torch.compile(shifted_square, backend=keep_graph, fullgraph=True)
compiled(torch.ones(3))

graph_count = len(graphs)
print("graphs:", graph_count)
assert graph_count == 1

"""torch.compiler.disable: this function always runs in Python."""

import torch


@torch.compiler.disable(reason="talks to a database")
def lookup(x):
    print("compiling?", torch.compiler.is_compiling())
    return x * 2


def model(x):
    return lookup(torch.relu(x)) + 1


graphs = []


def keep_graph(graph_module, example_inputs):
    graphs.append(graph_module)
    return graph_module.forward


compiled = torch.compile(model, backend=keep_graph)
compiled(torch.ones(3))
compiled(torch.ones(3))
for graph_module in graphs:
    print([node.target.__name__ for node in graph_module.graph.nodes if callable(node.target)])

log = str(torch._dynamo.utils.counters["graph_break"])
graph_count = len(graphs)
assert graph_count == 2 and "talks to a database" in log

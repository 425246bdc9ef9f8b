"""Count the graphs that Dynamo makes of a function."""

import torch


def compiles(function, calls, **options):
    """Return how many graphs Dynamo makes while ``function`` is called with each of ``calls`` as its arguments."""
    graphs = []

    def keep_graph(graph_module, example_inputs):
        graphs.append(graph_module)
        return graph_module.forward

    torch.compiler.reset()
    compiled = torch.compile(function, backend=keep_graph, **options)
    for arguments in calls:
        compiled(*arguments)
    return len(graphs)

"""torch.compiler.reset() forgets every compiled graph of the process."""

import torch

graphs = []


def keep_graph(graph_module, example_inputs):
    graphs.append(graph_module)
    return graph_module.forward


@torch.compile(backend=keep_graph)
def scaled(x):
    return x.sin() * 2


x = torch.ones(4)
scaled(x)
scaled(x)
before_reset = len(graphs)
torch.compiler.reset()
scaled(x)
after_reset = len(graphs)
print("graphs after two calls:", before_reset)
print("after reset() and one more:", after_reset)

# region checks
assert (before_reset, after_reset) == (1, 2)
# endregion

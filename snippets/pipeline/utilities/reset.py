"""torch.compiler.reset() forgets every compiled graph of the process."""

import torch

graphs = 0


def counting(graph_module, example_inputs):
    global graphs
    graphs += 1
    return graph_module.forward


@torch.compile(backend=counting)
def scaled(x):
    return x.sin() * 2


x = torch.ones(4)
scaled(x)
scaled(x)
before_reset = graphs
torch.compiler.reset()
scaled(x)
after_reset = graphs
print("graphs after two calls:", before_reset)
print("after reset() and one more:", after_reset)
assert (before_reset, after_reset) == (1, 2)

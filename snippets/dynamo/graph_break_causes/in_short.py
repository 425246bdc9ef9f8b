"""Torch logs the line that breaks the graph, and the reason."""

import torch

torch._logging.set_logs(graph_breaks=True)


@torch.compile(backend="eager")
def normalize(x):
    if x.sum() > 1:  # needs a value: breaks the graph
        x = x / x.sum()
    return torch.relu(x)


normalize(torch.ones(8))

# region checks
assert torch.equal(normalize(torch.ones(8)), torch.full((8,), 0.125))
# endregion

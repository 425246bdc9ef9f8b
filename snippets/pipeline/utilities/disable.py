"""Keep a function that logs out of the compiler."""

from torch import nn, ones

graphs, losses = [], []


def keep_graph(graph_module, example_inputs):
    graphs.append(graph_module)
    return graph_module.forward


model = nn.Linear(4, 4)
# region copy
import torch


@torch.compiler.disable
def log_metrics(loss):  # runs in eager mode, with everything that it calls
    losses.append(loss.item())


# endregion
@torch.compile(backend=keep_graph)
def step(x):
    loss = model(x).square().mean()
    log_metrics(loss)
    return loss * 2


step(ones(2, 4))
print("graphs:", len(graphs), "· losses logged:", len(losses))

# region checks
assert (len(graphs), len(losses)) == (2, 1)
# endregion

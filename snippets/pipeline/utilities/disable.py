"""Keep a function that logs out of the compiler."""

from torch import nn, ones

from compile_lessons import keep_graphs

losses = []
model = nn.Linear(4, 4)
kept = keep_graphs()
# region copy
import torch


@torch.compiler.disable
def log_metrics(loss):  # runs in eager mode, with everything that it calls
    losses.append(loss.item())


# endregion
@torch.compile(backend=kept)
def step(x):
    loss = model(x).square().mean()
    log_metrics(loss)
    return loss * 2


step(ones(2, 4))
print("graphs:", len(kept.graphs), "· losses logged:", len(losses))

# region checks
assert len(kept.graphs) == 2
assert len(losses) == 1
# endregion

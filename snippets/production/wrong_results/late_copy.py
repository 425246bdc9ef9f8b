# /// lesson
# needs = ["compiler"]
# ///
"""A queue of keys, as in MoCo: a change in the forward pass spoils the gradients."""

import torch
from torch import nn

from compile_lessons import Table, show


# region models
class InForward(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = nn.Linear(8, 4)
        self.register_buffer("queue", torch.randn(4, 16))

    def forward(self, x):
        keys = self.encoder(x)
        logits = keys @ self.queue.clone().detach()
        self.enqueue(keys.detach())
        return logits, keys

    def enqueue(self, keys):
        self.queue[:, : len(keys)] = keys.t()


class AfterBackward(InForward):
    def forward(self, x):
        keys = self.encoder(x)
        return keys @ self.queue, keys


# endregion
def train(kind, backend):
    torch.manual_seed(0)
    model = kind()
    logits, keys = torch.compile(model, backend=backend)(torch.randn(4, 8))
    logits.square().mean().backward()
    if kind is AfterBackward:
        model.enqueue(keys.detach())
    return round(model.encoder.weight.grad.norm().item(), 2)


rows = []
for kind in (InForward, AfterBackward):
    rows.append([kind.__name__, train(kind, "eager"), train(kind, "inductor")])
show(Table(["module", "norm of the gradient: eager", "inductor"], rows))

# region checks
(_, right, wrong), (_, also_right, fixed) = rows
assert wrong != right
assert fixed == also_right == right
# endregion

"""Hooks that are added after the first call."""

import torch
from torch import nn

from compile_lessons import Table, show


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(4, 4)

    def forward(self, x):
        return self.layer(x)


def zero(module, inputs, output):
    return output * 0


x = torch.ones(2, 4)
model, other, bare = Model(), Model(), nn.Sequential(nn.Linear(4, 4))
rows = []
for where, compiled_module, hooked in [
    ("model.layer", model, model.layer),
    ("model", other, other),
    ("nn.Sequential(…)", bare, bare),
]:
    compiled = torch.compile(compiled_module, backend="eager")
    compiled(x)
    hooked.register_forward_hook(zero)
    late = not compiled(x).any()
    torch.compiler.reset()
    rows.append([where, not compiled_module(x).any(), late, not compiled(x).any()])
show(Table(["hook on", "runs in eager mode", "runs in the compiled call", "after reset()"], rows))

# region checks
assert [row[1:] for row in rows] == [[True, False, True], [True, True, True], [True, False, True]]
# endregion

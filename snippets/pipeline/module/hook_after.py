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


def keep(module, inputs, output=None):
    """Do nothing, as a hook or a pre-hook."""


def add_hook_after_first_call(model, hooked):
    """Return whether the hook runs: in eager mode, compiled, and after a reset."""
    x = torch.ones(2, 4)
    compiled = torch.compile(model, backend="eager")
    compiled(x)
    hooked.register_forward_hook(zero)
    runs_compiled = not compiled(x).any()
    torch.compiler.reset()
    return [not model(x).any(), runs_compiled, not compiled(x).any()]


# region cases
on_layer = Model()
on_model = Model()
sequential = nn.Sequential(nn.Linear(4, 4))
had_hook = Model()
had_hook.layer.register_forward_hook(keep)
had_pre_hook = Model()
had_pre_hook.layer.register_forward_pre_hook(keep)
cases = {
    "model.layer": (on_layer, on_layer.layer),
    "model": (on_model, on_model),
    "nn.Sequential(…)": (sequential, sequential),
    "a layer with a forward hook": (had_hook, had_hook.layer),
    "a layer with a pre-hook": (had_pre_hook, had_pre_hook.layer),
}
rows = []
for where, (model, hooked) in cases.items():
    rows.append([where, *add_hook_after_first_call(model, hooked)])
# endregion
columns = [
    "hook on",
    "runs in eager mode",
    "runs in the compiled call",
    "after reset()",
]
show(Table(columns, rows))

# region checks
assert all(row[1] for row in rows)
assert [row[2] for row in rows] == [False, True, False, True, False]
assert all(row[3] for row in rows)
# endregion

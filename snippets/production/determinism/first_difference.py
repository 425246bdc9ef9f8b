# /// lesson
# needs = ["compiler"]
# ///
"""Find the first submodule whose output differs between two runs."""

from functools import partial

import torch
from torch import nn

from compile_lessons import Table, show


# region copy
def keep_outputs(model):
    """Make each submodule keep its output by name, in the order of the calls."""
    kept = {}
    for name, module in model.named_modules():
        module.register_forward_hook(partial(keep, kept, name))
    return kept


def keep(kept, name, module, args, output):
    if isinstance(output, tuple):
        output = output[0]
    if torch.is_tensor(output):
        kept[name] = output.detach().clone()


def first_difference(first, second):
    for name in first:
        if not torch.equal(first[name], second[name]):
            return name
    return "none"


# endregion
torch.manual_seed(0)
model = nn.Sequential()
model.add_module("norm", nn.LayerNorm(128))
model.add_module("up", nn.Linear(128, 512))
model.add_module("gelu", nn.GELU())
kept = keep_outputs(model)
x = torch.randn(8, 128)


def first_row(run, batch):
    run(batch)
    return {name: output[:1] for name, output in kept.items()}


rows = []
for name, run in {
    "eager": model,
    "compiled": torch.compile(model, dynamic=False),
}.items():
    alone = first_row(run, x[:1])
    again = first_row(run, x[:1])
    in_batch = first_row(run, x)
    differs = first_difference(alone, in_batch)
    rows.append([name, first_difference(alone, again), differs])
show(Table(["run", "the same batch again", "row 0 of a batch of 8"], rows))

# region checks
assert [row[1] for row in rows] == ["none", "none"]
assert "none" not in [row[2] for row in rows]
# endregion

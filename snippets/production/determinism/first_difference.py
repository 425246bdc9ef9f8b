# /// lesson
# needs = ["compiler"]
# ///
"""Find the first submodule whose output differs between two runs."""

import copy
from collections import OrderedDict
from functools import partial

import torch

from compile_lessons import Table, show


# region copy
def keep_outputs(model):
    """Make each submodule keep its output (of a tuple, the first item) by name, in the order of the calls."""
    kept = {}

    def keep(name, module, args, output):
        first = output[0] if isinstance(output, tuple) else output
        if torch.is_tensor(first):
            kept[name] = first.detach().clone()

    for name, module in model.named_modules():
        module.register_forward_hook(partial(keep, name))
    return kept


def first_difference(first, second):
    return next((name for name in first if not torch.equal(first[name], second[name])), "none")


# endregion
def outputs(x, compiled):
    watched = copy.deepcopy(model)
    kept = keep_outputs(watched)
    (torch.compile(watched) if compiled else watched)(x)
    return {name: output[:1] for name, output in kept.items()}  # the first row


torch.manual_seed(0)
layers = OrderedDict(norm=torch.nn.LayerNorm(128), up=torch.nn.Linear(128, 512), gelu=torch.nn.GELU())
model, x, rows = torch.nn.Sequential(layers), torch.randn(8, 128), []
for compiled in (False, True):
    alone, again, in_eight = (outputs(batch, compiled) for batch in (x[:1], x[:1], x))
    differences = (first_difference(alone, other) for other in (again, in_eight))
    rows.append(["compiled" if compiled else "eager", *differences])
show(Table(["run", "the same batch again", "row 0 of a batch of 8"], rows))
# region checks
watched = copy.deepcopy(model)
kept, expected = keep_outputs(watched), torch.compile(copy.deepcopy(model))(x)
assert torch.equal(torch.compile(watched, fullgraph=True)(x), expected)
assert [row[1] for row in rows] == ["none", "none"] and "none" not in [row[2] for row in rows]
# endregion

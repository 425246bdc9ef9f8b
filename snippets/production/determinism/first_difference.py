# /// lesson
# needs = ["compiler"]
# ///
"""Find the first submodule whose output differs between two runs."""

from collections import OrderedDict
from functools import partial

import torch

from compile_lessons import Table, show


# region copy
def keep_outputs(model):
    """Make each submodule keep its output (of a tuple, the first item) by name, in the order of the calls."""
    kept = {}
    for name, module in model.named_modules():
        module.register_forward_hook(partial(keep, kept, name))
    return kept


def keep(kept, name, module, args, output):
    if torch.is_tensor(output := output[0] if isinstance(output, tuple) else output):
        kept[name] = output.detach().clone()


def first_difference(first, second):
    return next((name for name in first if not torch.equal(first[name], second[name])), "none")


# endregion
torch.manual_seed(0)
layers = OrderedDict(norm=torch.nn.LayerNorm(128), up=torch.nn.Linear(128, 512), gelu=torch.nn.GELU())
model, x, rows = torch.nn.Sequential(layers), torch.randn(8, 128), []
kept = keep_outputs(model)
for name, run in {"eager": model, "compiled": torch.compile(model, dynamic=False)}.items():
    results = []
    for batch in (x[:1], x[:1], x):
        run(batch)
        results.append({layer: output[:1] for layer, output in kept.items()})  # the first row
    rows.append([name, *(first_difference(results[0], other) for other in results[1:])])
show(Table(["run", "the same batch again", "row 0 of a batch of 8"], rows))
# region checks
plain = torch.nn.Sequential(*(type(layer)(*size) for layer, size in zip(model, ((128,), (128, 512), ()), strict=True)))
plain.load_state_dict(dict(zip(plain.state_dict(), model.state_dict().values(), strict=True)))
assert torch.equal(torch.compile(model, fullgraph=True)(x), torch.compile(plain)(x))
assert [row[1] for row in rows] == ["none", "none"] and "none" not in [row[2] for row in rows]
# endregion

# /// lesson
# needs = ["compiler"]
# ///
"""Bytes that the forward pass keeps for the backward pass: eager and compiled, with and without a bf16 residual."""

import torch
from _gpt2 import GPT2, Sizes
from torch.autograd.graph import saved_tensors_hooks

from compile_lessons import Table, show


def saved_mib(function, tokens):
    saved = {}
    keep = saved_tensors_hooks(lambda t: saved.setdefault(t.untyped_storage().data_ptr(), t), lambda t: t)
    with keep, torch.autocast("cpu", torch.bfloat16):
        function(tokens, tokens)
    weights = {p.untyped_storage().data_ptr() for p in model.parameters()}
    return sum(t.untyped_storage().nbytes() for place, t in saved.items() if place not in weights) / 2**20


rows, tokens = [], torch.randint(0, 1000, (4, 64))
for residual in (torch.float32, torch.bfloat16):
    torch.compiler.reset()
    model = GPT2(Sizes(vocabulary=1000, context=64, layers=2, heads=2, width=64), residual)
    mib = [saved_mib(function, tokens) for function in (model, torch.compile(model, backend="aot_eager"))]
    rows.append([str(residual).removeprefix("torch."), *(f"{m:.1f} MiB" for m in mib), mib])
show(Table(["residual", "eager", "compiled"], [row[:3] for row in rows]))
wide, narrow = rows[0][3], rows[1][3]
# region checks
assert wide[1] < wide[0] and narrow[1] < narrow[0]
# endregion

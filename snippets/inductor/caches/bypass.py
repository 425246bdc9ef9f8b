# /// lesson
# needs = ["compiler"]
# varies.output = ['0x[0-9a-f]+']
# ///
"""Graphs that are not cached, and the reason that torch gives."""

import torch
from torch._inductor import config

from compile_lessons import Table, capture, show


def pass_without_uuid(graph):
    """Change nothing."""


def in_bfloat16(x):
    with torch.autocast("cpu", dtype=torch.bfloat16):
        return linear(x)


def choose(x):
    return torch.cond(x.sum() > 0, torch.sin, torch.cos, (x,))


rows = []


def add_rows(name, function, **options):
    caches = capture(function, machine_code=False, options=options)(x).caches
    for lookup in caches:
        reason = lookup.key.splitlines()[0] if lookup.state == "bypass" else ""
        row = [name, lookup.cache, lookup.state, reason]
        if row not in rows:
            rows.append(row)


# region calls
x = torch.ones(16, 16)
linear = torch.nn.Linear(16, 16)
add_rows("an ordinary function", torch.relu)
add_rows("a custom pass", torch.relu, post_grad_custom_post_pass=pass_without_uuid)
add_rows("torch.cond", choose)
add_rows("autocast inside", in_bfloat16)
with torch.no_grad():
    config.freezing = True
    add_rows("frozen weights", linear)
# endregion
show(Table(["compile of", "cache", "answer", "reason"], rows))
# region checks
missed = [row[:2] for row in rows if row[2] == "miss"]
assert missed == [
    ["an ordinary function", "AOTAutogradCache"],
    ["an ordinary function", "FxGraphCache"],
    ["autocast inside", "FxGraphCache"],
]
assert len(rows) == 10
# endregion

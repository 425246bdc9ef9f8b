# /// lesson
# needs = ["compiler"]
# varies.output = ['0x[0-9a-f]+']
# ///
"""Graphs that are not cached, and the reason that torch gives."""

import torch
import torch._inductor.config

from compile_lessons import Table, capture, show


def report(name, function, x, **settings):
    for lookup in capture(function, machine_code=False, **settings)(x).caches:
        reason = lookup.key.splitlines()[0] if lookup.state == "bypass" else ""
        if [name, lookup.cache, lookup.state, reason] not in rows:
            rows.append([name, lookup.cache, lookup.state, reason])


def double(graph):
    """A pass without a uuid."""


def choose(x):
    return torch.cond(x.sum() > 0, torch.sin, torch.cos, (x,))


x, linear, rows = torch.ones(16, 16), torch.nn.Linear(16, 16), []
report("an ordinary function", torch.relu, x)
report("a pass without uuid", torch.relu, x, options={"post_grad_custom_post_pass": double})
report("torch.cond", choose, x)
with torch.no_grad():
    torch._inductor.config.freezing = True
    report("frozen weights", linear, x)
show(Table(["compile of", "cache", "answer", "reason"], rows))
# region checks
assert [row[2] for row in rows] == ["miss"] * 2 + ["bypass"] * 6
# endregion

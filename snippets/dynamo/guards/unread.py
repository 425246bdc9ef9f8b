"""Changes that need a new version, and changes that don't."""

import torch

from compile_lessons import Table, keep_graphs, show

numbers = [7] * 1000


def plus_first(x, note, unused):
    return x + numbers[0]


kept = keep_graphs()
compiled = torch.compile(plus_first, backend=kept)
rows = []


def call(change, note, unused):
    graphs_before = len(kept.graphs)
    compiled(torch.ones(4), note, unused)
    rows.append([change, "yes" if len(kept.graphs) > graphs_before else "no"])


call("first call", note="first", unused=torch.ones(4))
call("a different note", note="second", unused=torch.ones(4))
call("a different unused tensor", note="second", unused=torch.ones(5, 5))
numbers[500] = 8
call("a different numbers[500]", note="second", unused=torch.ones(5, 5))
numbers.append(9)
call("a longer list", note="second", unused=torch.ones(5, 5))
torch.set_grad_enabled(False)
call("gradients off", note="second", unused=torch.ones(5, 5))
show(Table(["call", "compiles"], rows))

# region checks
assert [row[1] for row in rows] == ["yes", "no", "no", "no", "yes", "yes"]
# endregion

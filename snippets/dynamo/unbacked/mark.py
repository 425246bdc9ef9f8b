"""mark_unbacked: one version for sizes 0 and 1 too, but no branch on the size."""

import torch
from torch._dynamo.decorators import mark_unbacked

from compile_lessons import Table, keep_graphs, show


def double(x):
    return x * 2


def double_if_long(x):
    return x * 2 if x.shape[0] > 3 else x


rows = []
for mark in (torch._dynamo.mark_dynamic, mark_unbacked):
    torch.compiler.reset()
    kept = keep_graphs()
    compiled = torch.compile(double, backend=kept)
    first = torch.ones(5)
    mark(first, 0)
    for x in (first, torch.ones(7), torch.ones(1), torch.ones(0)):
        compiled(x)
    outcome = "becomes a guard"
    try:
        torch.compile(double_if_long, backend="eager", fullgraph=True)(first)
    except torch._dynamo.exc.UserError as error:
        outcome = str(error).partition("(unhinted")[0].partition("). ")[2]
    rows.append([mark.__name__, len(kept.graphs), outcome])
show(Table(["mark", "compiles for 5, 7, 1, 0", "a branch on the size"], rows))

# region checks
assert [row[1] for row in rows] == [3, 1]
assert rows[1][2].startswith("Could not guard")
# endregion

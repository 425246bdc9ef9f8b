"""0 and 1 without a compile of their own: mark_unbacked, and its price."""

import torch
from torch._dynamo.testing import CompileCounter

from compile_lessons import Table, show


def double(x):
    return x * 2


def branch(x):
    return x * 2 if x.shape[0] > 3 else x


rows = []
for mark in (torch._dynamo.mark_dynamic, torch._dynamo.decorators.mark_unbacked):
    torch.compiler.reset()
    counter = CompileCounter()  # a backend that counts
    compiled = torch.compile(double, backend=counter)
    mark(first := torch.ones(5), 0)
    for x in (first, torch.ones(7), torch.ones(1), torch.ones(0)):
        compiled(x)
    try:
        torch.compile(branch, backend="eager", fullgraph=True)(first)
        outcome = "works"
    except torch._dynamo.exc.UserError as error:
        outcome = str(error).partition("(unhinted")[0].partition("). ")[2]
    rows.append([mark.__name__, counter.frame_count, outcome])

show(Table(["mark", "compiles for 5, 7, 1, 0", "a branch on the size"], rows))
dynamic_count, unbacked_count = rows[0][1], rows[1][1]
assert (dynamic_count, unbacked_count) == (3, 1)
assert rows[0][2] == "works" and rows[1][2].startswith("Could not guard")

"""Choose inside the graph with torch.where."""

import torch

from compile_lessons import keep_graphs


def safe_sqrt(x):
    # region copy
    x = torch.where(x.sum() < 0, -x, x)  # not: if x.sum() < 0: x = -x
    # endregion
    return torch.sqrt(x)


kept = keep_graphs()
compiled = torch.compile(safe_sqrt, backend=kept, fullgraph=True)
for x in (torch.full((3,), 4.0), torch.full((3,), -4.0)):
    print(x, "->", compiled(x))
for graph in kept.graphs:
    graph.print_readable()

# region checks
assert len(kept.graphs) == 1
for value in (4.0, -4.0):
    assert torch.equal(compiled(torch.full((3,), value)), torch.full((3,), 2.0))
# endregion

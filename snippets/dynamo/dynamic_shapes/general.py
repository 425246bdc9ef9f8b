"""Mark a batch whose size takes the general branch."""

import torch

from compile_lessons import Table, keep_graphs, show


def head(x):
    return x + 1 if x.shape[0] == 4 else x * 2


kept = keep_graphs()
compiled = torch.compile(head, backend=kept)  # leave out backend= for Inductor
# region mark
first = torch.ones(5)  # not 4
torch._dynamo.mark_dynamic(first, 0)  # dimension 0 will change
# endregion
rows = []
for x in (first, torch.ones(3), torch.ones(6), torch.ones(4), torch.ones(7)):
    matches = torch.equal(compiled(x), head(x))
    rows.append([len(x), len(kept.graphs), matches])
show(Table(["size", "compiles so far", "equals eager mode"], rows))

# region checks
assert rows == [[5, 1, True], [3, 1, True], [6, 1, True], [4, 2, True], [7, 2, True]]
# endregion

"""With the print outside, one graph remains."""

import torch

from compile_lessons import keep_graphs


def shifted_square(x):
    y = torch.relu(x) + 1
    return y * y


kept = keep_graphs()
compiled = torch.compile(shifted_square, backend=kept, fullgraph=True)
print("result:", compiled(torch.ones(3)))
print("graphs:", len(kept.graphs))

# region checks
assert len(kept.graphs) == 1
# endregion

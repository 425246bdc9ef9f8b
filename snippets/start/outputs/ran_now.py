"""One compiled call, the same output on every run."""

import torch

from compile_lessons import keep_graphs


def double(x):
    return x + x


kept = keep_graphs()
compiled = torch.compile(double, backend=kept)
print(compiled(torch.arange(4)))
graph_count = len(kept.graphs)

# region checks
assert graph_count == 1
# endregion

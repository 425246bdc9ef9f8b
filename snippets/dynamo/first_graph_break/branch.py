"""An if on a tensor's value breaks the graph."""

import torch

from compile_lessons import keep_graphs


def safe_sqrt(x):
    if x.sum() < 0:
        x = -x
    return torch.sqrt(x)


kept = keep_graphs()
compiled = torch.compile(safe_sqrt, backend=kept)
compiled(torch.ones(8))
after_positive = len(kept.graphs)
compiled(-torch.ones(8))
after_negative = len(kept.graphs)

for graph in kept.graphs[:after_positive]:
    graph.print_readable()
print("---- a negative sum ----")
for graph in kept.graphs[after_positive:]:
    graph.print_readable()

# region checks
assert (after_positive, after_negative) == (2, 3)
# endregion

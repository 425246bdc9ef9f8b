"""A size that is unknown until the graph runs."""

import torch

from compile_lessons import keep_graphs


# region function
def zeros(counts):
    n = counts.sum().item()
    return torch.zeros(n)


# endregion

kept = keep_graphs()
compiled = torch.compile(zeros, backend=kept, fullgraph=True)
for counts in ([1, 2], [4, 0], [0, 0]):
    print(compiled(torch.tensor(counts)))
try:
    compiled(torch.tensor([-1, 0]))
except RuntimeError as error:
    message = str(error)
    print("RuntimeError:", message)
kept.graphs[0].print_readable()

# region checks
assert len(kept.graphs) == 1
assert "u0 >= 0" in message
# endregion

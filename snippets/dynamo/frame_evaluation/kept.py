"""Keep what torch.compile returns."""

import torch

from compile_lessons import keep_graphs

backend = keep_graphs()
model = torch.nn.Sequential(torch.nn.Linear(4, 4), torch.nn.ReLU())
x = torch.ones(2, 4)

# region calls
torch.compile(model, backend=backend)  # the result is dropped
for _ in range(3):
    model(x)
dropped = len(backend.graphs)
print("graphs, result dropped:", dropped)

compiled = torch.compile(model, backend=backend)  # leave out backend= for Inductor
for _ in range(3):
    compiled(x)
kept = len(backend.graphs)
print("graphs, result kept:   ", kept)
# endregion

# region checks
assert (dropped, kept) == (0, 1)
# endregion

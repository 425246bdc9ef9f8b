# /// lesson
# needs = ["compiler"]
# ///
"""Two correct training runs drift apart; a wrong run is off in the first step."""

import copy

import torch
import torch.nn.functional as F
from torch import nn

from compile_lessons import Table, show

torch.manual_seed(0)
start = nn.Sequential(nn.Linear(8, 32), nn.SiLU(), nn.Linear(32, 4))
batches = [(torch.randn(16, 8), torch.randint(4, (16,))) for _ in range(100)]


def train(model):
    optimizer = torch.optim.SGD(model.parameters(), lr=1.0, momentum=0.9)
    weights = []
    for x, y in batches:
        optimizer.zero_grad()
        F.cross_entropy(model(x), y).backward()
        optimizer.step()
        weights.append(nn.utils.parameters_to_vector(model.parameters()).detach())
    return torch.stack(weights)


# region runs
nudged = copy.deepcopy(start)
nudged[0].weight.data *= 1 + 2**-22  # by two to four units in the last place
broken = copy.deepcopy(start)
broken[1] = nn.GELU()  # stands for a bug of the compiler
runs = {
    "compiled": torch.compile(copy.deepcopy(start)),
    "eager, weights nudged": nudged,
    "with a bug": broken,
}
# endregion
eager = train(start)
steps = [1, 10, 30, 100]
rows = []
for name, model in runs.items():
    distances = (train(model) - eager).norm(dim=1) / eager.norm(dim=1)
    rows.append([name, *(f"{distances[step - 1]:.0e}" for step in steps)])
columns = [
    "distance of the weights from eager mode",
    *(f"step {step}" for step in steps),
]
show(Table(columns, rows))

# region checks
compiled, nudged, broken = ([float(cell) for cell in row[1:]] for row in rows)
assert max(compiled[0], nudged[0]) < 1e-5
assert broken[0] > 1e-5
assert compiled[-1] > 100 * compiled[0]
assert nudged[-1] > 100 * nudged[0]
# endregion

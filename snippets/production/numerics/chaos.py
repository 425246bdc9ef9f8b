# /// lesson
# needs = ["compiler"]
# ///
"""Two correct training runs drift apart; a wrong run is off in the first step."""

import copy

import torch
import torch.nn.functional as F

from compile_lessons import Table, show

torch.manual_seed(0)
start = torch.nn.Sequential(torch.nn.Linear(8, 32), torch.nn.SiLU(), torch.nn.Linear(32, 4))
batches = [(torch.randn(16, 8), torch.randint(4, (16,))) for _ in range(100)]


def train(prepare):
    model, history = prepare(copy.deepcopy(start)), []
    optimizer = torch.optim.SGD(model.parameters(), lr=1.0, momentum=0.9)
    for x, y in batches:
        optimizer.zero_grad()
        F.cross_entropy(model(x), y).backward()
        optimizer.step()
        history.append(torch.nn.utils.parameters_to_vector(model.parameters()).detach().clone())
    return history


def nudged(model):
    model[0].weight.data *= 1 + 2**-22  # by two to four units in the last place
    return model


def broken(model):
    model[1] = torch.nn.GELU()  # stands for a bug of the compiler
    return model


eager, steps, rows = train(lambda model: model), (1, 10, 30, 100), []
for name, prepare in {"compiled": torch.compile, "eager, weights nudged": nudged, "with a bug": broken}.items():
    distances = [((a - b).norm() / b.norm()).item() for a, b in zip(train(prepare), eager, strict=True)]
    rows.append([name, *(f"{distances[step - 1]:.0e}" for step in steps)])
show(Table(["distance of the weights from eager mode", *(f"step {step}" for step in steps)], rows))
# region checks
first, last = ([float(row[column]) for row in rows] for column in (1, -1))
assert max(first[:2]) < 1e-5 < first[2] and last[0] > 100 * first[0] and last[1] > 100 * first[1]
# endregion

"""A compiled method stored in a module: its copies use the original's weights."""

import copy
import pickle

import torch
from torch.optim.swa_utils import AveragedModel

from compile_lessons import Table, show


class Scale(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.ones(1))

    def forward(self, x):
        return x * self.weight


def results_after_a_change(model):
    """Return the results of a model and two copies after its weight changed to 3."""
    copied = copy.deepcopy(model)
    averaged = AveragedModel(model)
    tripled = {key: value * 3 for key, value in model.state_dict().items()}
    model.load_state_dict(tripled)
    return [module(torch.ones(1)).item() for module in (model, copied, averaged)]


def can_be_pickled(model):
    try:
        pickle.dumps(model)
    except pickle.PicklingError as error:
        return type(error).__name__
    return "yes"


# region forms
in_place = Scale()
in_place.compile(backend="eager")
wrapped = torch.compile(Scale(), backend="eager")
stored = Scale()
stored.forward = torch.compile(stored.forward, backend="eager")
# endregion
rows = [
    ["m.compile()", *results_after_a_change(in_place), can_be_pickled(in_place)],
    ["torch.compile(m)", *results_after_a_change(wrapped), can_be_pickled(wrapped)],
    ["m.forward = …", *results_after_a_change(stored), can_be_pickled(stored)],
]
columns = ["compiled by", "m", "deepcopy(m)", "AveragedModel(m)", "can be pickled"]
show(Table(columns, rows))

# region checks
assert [row[1:4] for row in rows] == [[3, 1, 1], [3, 1, 1], [3, 3, 3]]
assert [row[4] for row in rows] == ["yes", "yes", "PicklingError"]
# endregion

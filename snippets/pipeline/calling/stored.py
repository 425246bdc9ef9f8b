"""A compiled method that is stored in a module: copies of the module use the original's weights."""

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


def outcomes(model):
    """Return the results of two copies after the original's weight has changed from 1 to 3."""
    copies, x = [copy.deepcopy(model), AveragedModel(model)], torch.ones(1)
    model.load_state_dict({key: value * 3 for key, value in model.state_dict().items()})
    try:
        pickled = "yes" if pickle.dumps(model) else ""
    except pickle.PicklingError as error:
        pickled = type(error).__name__
    return [module(x).item() for module in (model, *copies)] + [pickled]


in_place, wrapped, stored = Scale(), torch.compile(Scale(), backend="eager"), Scale()
in_place.compile(backend="eager")
stored.forward = torch.compile(stored.forward, backend="eager")
forms = {"m.compile()": in_place, "torch.compile(m)": wrapped, "m.forward = torch.compile(…)": stored}
rows = [[form, *outcomes(model)] for form, model in forms.items()]
show(Table(["compiled by", "m", "deepcopy(m)", "AveragedModel(m)", "can be pickled"], rows))

# region checks
assert [row[2:4] for row in rows] == [[1, 1], [1, 1], [3, 3]]
assert [row[4] for row in rows] == ["yes", "yes", "PicklingError"]
copied = copy.deepcopy(stored)
del copied.forward
stored.weight.data.zero_()
assert copied(torch.ones(1)).item() == 3 and stored(torch.ones(1)).item() == 0
# endregion

# /// lesson
# needs = ["gpu", "triton"]
# memory = 16384
# ///
"""State in a buffer under CUDA graphs: changing the buffer in place works, assigning a new tensor raises an error."""

from copy import deepcopy

import torch
from torch import nn

from compile_lessons import Table, show


class Model(nn.Module):
    """A layer that adds all inputs so far to its input."""

    def __init__(self, update):
        super().__init__()
        self.update = update
        self.layer = nn.Linear(8, 8)
        self.register_buffer("total", torch.zeros(8))

    def forward(self, x):
        self.update(self, x)
        return self.layer(x + self.total)


def add_in_place(model, x):
    model.total.add_(x)


def copy_in_place(model, x):
    model.total.copy_(model.total + x)


def write_by_index(model, x):
    model.total[:] = model.total + x


def assign(model, x):
    model.total = model.total + x


def assign_clone(model, x):
    model.total = (model.total + x).clone()


def five_calls(model, train, mark=False):
    """Return the result of the last call, which depends on the state that the other calls left."""
    for number in range(1, 6):
        if mark:
            torch.compiler.cudagraph_mark_step_begin()
        result = model(torch.full((8,), float(number), device="cuda"))
        if train:
            result.sum().backward()
            model.zero_grad()
    return result.detach().clone()


def outcome(update, train=False, mark=False):
    """Run the model under CUDA graphs. Return "right" or "wrong", or the error's message."""
    torch.manual_seed(0)
    model = Model(update).cuda()
    copy = deepcopy(model)
    torch.compiler.reset()
    compiled = torch.compile(model, mode="reduce-overhead")
    with torch.set_grad_enabled(train):
        try:
            result = five_calls(compiled, train, mark)
        except RuntimeError as error:
            return str(error).split(". Stack trace")[0]
        expected = five_calls(copy, train)
    return "right" if torch.allclose(result, expected) else "wrong"


rows = []
for update in (add_in_place, copy_in_place, write_by_index, assign, assign_clone):
    outcomes = outcome(update), outcome(update, mark=True), outcome(update, train=True)
    rows.append([update.__name__, *outcomes])
overwritten = rows[-1][1]
short = [[name, *("raises an error" if cell == overwritten else cell for cell in cells)] for name, *cells in rows]
show(Table(["the model's update", "inference", "with a mark", "training"], short))
print(f"the error: {overwritten}")
# region checks
assert overwritten.endswith("overwritten by a subsequent run")
assert [row[1:] for row in short] == [["right"] * 3] * 3 + [["raises an error"] * 3] * 2
# endregion

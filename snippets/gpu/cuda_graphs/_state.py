"""A model that keeps the sum of its inputs in a buffer, and what becomes of it under
CUDA graphs.
"""

from copy import deepcopy

import torch
from torch import nn


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


def five_calls(model, train, mark=False):
    """Return the result of the last call, which depends on the state that the other
    calls left.
    """
    for number in range(1, 6):
        if mark:
            torch.compiler.cudagraph_mark_step_begin()
        result = model(torch.full((8,), float(number), device="cuda"))
        if train:
            result.sum().backward()
            model.zero_grad()
    return result.detach().clone()


def outcome(update, train=False, mark=False):
    """Run the model under CUDA graphs. Return "right" or "wrong", or the error's
    message.
    """
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

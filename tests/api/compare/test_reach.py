"""What a call can reach is named, and what it changes there is seen."""

import functools
from types import ModuleType

import pytest
import torch
from torch import nn

from compile_lessons.api.compare.values import Snapshot


class Trainer:
    def __init__(self, norm):
        self.norm = norm

    def step(self, x):
        return self.norm(x)


norms = [nn.BatchNorm1d(4)]
norm = nn.BatchNorm1d(4)
helpers = ModuleType("helpers_of_this_test")
helpers.norm = nn.BatchNorm1d(4)


def in_a_list(x):
    return norms[0](x)


def helper(x):
    return norm(x)


def through_a_helper(x):
    return torch.stack([helper(part) for part in (x,)])


def of_a_module(x):
    return helpers.norm(x)


REACHED = {
    "method": lambda: (found := nn.BatchNorm1d(4), Trainer(found).step),
    "list": lambda: (norms[0], in_a_list),
    "helper": lambda: (norm, through_a_helper),
    "partial": lambda: (found := nn.BatchNorm1d(4), functools.partial(lambda m, x: m(x), found)),
    "module of the user's": lambda: (helpers.norm, of_a_module),
    "wrapped": lambda: (found := nn.BatchNorm1d(4), torch.no_grad()(lambda x: found(x))),
    "default": lambda: (found := nn.BatchNorm1d(4), lambda x, m=found: m(x)),
}


@pytest.mark.parametrize("name", REACHED)
def test_what_a_call_changes_is_seen(name):
    norm, fn = REACHED[name]()
    args = torch.randn(5, 4), torch.ones(3)
    before = Snapshot(fn, [(args[:1], {})])
    assert before.changed() == {}
    fn(args[0])
    changed = before.changed()
    assert {kind for kind, _ in changed} == {"state"}
    assert {id(before.numbers[path]) for _, path in changed} == set(map(id, norm.buffers()))


def test_changes_in_arguments_are_apart():
    def step(x, model, lr=0.1):
        x.add_(1)
        model(x).sum().backward()

    x, model = torch.ones(2, 3), nn.Linear(3, 3)
    before = Snapshot(step, [((x,), {"model": model})])
    step(x, model=model)
    assert set(before.changed()) == {("input", "x"), ("state", "model.weight.grad"), ("state", "model.bias.grad")}

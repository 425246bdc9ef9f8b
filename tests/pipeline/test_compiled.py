"""What torch.compile returned is recognized, and leads to its original."""

import functools

import pytest
import torch

from compile_lessons import capture
from compile_lessons.pipeline.compiled import is_compiled, original_of, uncompiled


def doubled(x):
    return x * 2


def one_more(fn):
    @functools.wraps(fn)
    def wrapper(*args):
        return fn(*args) + 1

    return wrapper


class Net(torch.nn.Module):
    def forward(self, x):
        return x * 2

    @torch.compile
    def method(self, x):
        return x * 2

    @torch.compile
    @torch.compile
    def twice(self, x):
        return x * 2


class Decorated(Net):
    @torch.compile
    def forward(self, x):
        return x * 2


@torch.compile
class CompiledClass(torch.nn.Module):
    def forward(self, x):
        return x * 2


def in_place():
    net = Net()
    net.compile()
    return net


def with_compiled_forward():
    net = Net()
    net.forward = torch.compile(net.forward)
    return net


COMPILED = {
    "function": lambda: torch.compile(doubled),
    "function, twice": lambda: torch.compile(torch.compile(doubled, mode="max-autotune")),
    "method": lambda: Net().method,
    "method, twice": lambda: Net().twice,
    "module": lambda: torch.compile(Net()),
    "module, twice": lambda: torch.compile(torch.compile(Net())),
    "module, in place": in_place,
    "module, in place and again": lambda: torch.compile(in_place()),
    "forward": with_compiled_forward,
    "forward of a class": Decorated,
    "class": lambda: CompiledClass(),
}


def refuse(*arguments, **options):
    raise AssertionError("a compiled callable ran")


@pytest.mark.parametrize("name", COMPILED)
def test_the_original_of_what_is_compiled(name, monkeypatch):
    monkeypatch.setattr("torch._dynamo.convert_frame._compile", refuse)
    compiled = COMPILED[name]()
    assert is_compiled(compiled)
    original = uncompiled(compiled)
    assert not is_compiled(original) and original(3) == 6


def test_a_decorator_of_a_compiled_function_stays():
    decorated = one_more(torch.compile(doubled, backend="eager"))
    assert is_compiled(decorated) and uncompiled(decorated) is decorated and not is_compiled(decorated)
    graphs = capture(decorated, until="dynamo")(torch.ones(2)).graphs
    assert [node.target for node in graphs[0].dynamo.calls] == ["operator.mul", "operator.add"]


@pytest.mark.parametrize("fn", [doubled, Net(), torch.nn.Linear, torch.sin, torch.compiler.disable(doubled), 3])
def test_what_is_not_compiled(fn):
    assert not is_compiled(fn) and original_of(fn) is None and uncompiled(fn) is fn

"""An eager run is of the program without torch.compile; afterwards the program is as it was."""

import functools

import pytest
import torch

from compile_lessons import capture
from compile_lessons.api.compare.plain import uncompiled_program
from compile_lessons.pipeline.compiled import is_compiled


class Net(torch.nn.Linear):
    def forward(self, x):
        return super().forward(x)


class WithMethod:
    @torch.compile(backend="eager")
    def twice(self, x):
        return (2 if torch.compiler.is_compiling() else 1) * x


def asks(x):
    return (2 if torch.compiler.is_compiling() else 1) * x


compiled_global = torch.compile(asks, backend="eager")
with_method = WithMethod()
in_list = [torch.compile(asks, backend="eager")]
wrapped = torch.compile(Net(2, 2), backend="eager")


def by_global(x):
    return compiled_global(x)


def by_method(x):
    return with_method.twice(x)


def by_list(x):
    return in_list[0](x)


def by_closure(x):
    return closed(x)


def closing():
    fn = torch.compile(asks, backend="eager")
    return lambda x: fn(x)


def compiling_inside(x):
    return torch.compile(asks, backend="eager")(x)


def compiling_in_place_inside(x):
    class Asking(torch.nn.Module):
        def forward(self, x):
            return asks(x)

    net = Asking()
    net.compile(backend="eager")
    return net(x)


def decorating_inside(x):
    @torch.compile(backend="eager")
    def inner(x):
        return asks(x)

    return inner(x)


closed = closing()
partly = functools.partial(by_global)


@pytest.mark.parametrize(
    "fn",
    [
        by_global,
        by_method,
        by_list,
        by_closure,
        closed,
        compiling_inside,
        compiling_in_place_inside,
        decorating_inside,
        partly,
    ],
)
def test_nothing_is_compiled_within_and_all_is_again_after(fn):
    x = torch.ones(2)
    with uncompiled_program({"": fn}):
        assert torch.equal(fn(x), x)
    assert torch.equal(fn(x), 2 * x)


def test_a_module_is_the_original_and_one_in_place_is_not_compiled():
    in_place = Net(2, 2)
    in_place.compile(backend="eager")

    def step(x):
        return [*dict(wrapped.named_parameters())], is_compiled(in_place)

    assert step(0) == (["_orig_mod.weight", "_orig_mod.bias"], True)
    with uncompiled_program({"": step}):
        assert step(0) == (["weight", "bias"], False)
    assert step(0) == (["_orig_mod.weight", "_orig_mod.bias"], True)


def test_an_operator_that_compiles_in_eager_mode_too_is_compared():
    net = Net(2, 2)

    def branches(x):
        return torch.cond(x.sum() > 0, lambda v: v.sin(), lambda v: v.cos(), (net(x),))

    compiled = torch.compile(branches, backend="eager")
    assert capture(compiled, observe=True, compare=True)(torch.ones(1, 2)).comparison.status == "equal"

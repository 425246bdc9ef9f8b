"""What docs/inductor/custom-op-layouts.md says, for dynamic sizes, in training, and for operators that write."""

import itertools
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import torch
import torch._functorch.config
from torch import nn

from compile_lessons import capture
from compile_lessons.runs.machine import cxx_compiler

pytestmark = pytest.mark.skipif(cxx_compiler() is None, reason="needs a C++ compiler")
NUMBERS = itertools.count()
STRIDES: list[tuple[int, ...]] = []
Tag = torch.Tag


@pytest.fixture(autouse=True)
def no_caches() -> Iterator[None]:
    """Tags and settings aren't part of the key of Inductor's cache."""
    STRIDES.clear()
    with torch.compiler.config.patch(force_disable_caches=True):
        yield


def make_operator(*tags: torch.Tag) -> Any:
    @torch.library.custom_op(f"layout_tests::note_{next(NUMBERS)}", mutates_args=(), tags=tags)
    def note(x: torch.Tensor) -> torch.Tensor:
        STRIDES.append(x.stride())
        return x.new_zeros(1)

    note.register_fake(lambda x: x.new_empty(1))
    note.register_autograd(lambda ctx, gradient: gradient.new_zeros(8, 6))
    return note


def strides(function: Callable[..., Any], *inputs: Any, **options: Any) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the strides that the operator notes in eager mode and in compiled code."""
    function(*inputs)
    torch.compile(function, **options)(*inputs)
    eager, compiled = STRIDES
    return eager, compiled


@pytest.mark.parametrize(("tags", "same"), [((), True), ((Tag.needs_contiguous_strides,), False)])
def test_a_tag_holds_for_a_dynamic_size_in_training(tags: tuple[torch.Tag, ...], same: bool) -> None:
    operator = make_operator(*tags)
    x = torch.randn(6, 8, requires_grad=True)
    eager, compiled = strides(lambda x: operator(torch.relu(x).t()), x, dynamic=True)
    assert eager == (1, 8) and compiled == (eager if same else (6, 1))


def test_an_expanded_argument_keeps_its_strides_and_an_expanded_result_is_copied() -> None:
    operator = make_operator(Tag.needs_fixed_stride_order)
    row = torch.randn(1, 8)
    assert strides(lambda row: operator(row.expand(6, 8)), row) == ((0, 1), (0, 1))
    STRIDES.clear()
    eager, compiled = strides(lambda row: operator((-row).expand(6, 8)), row)
    assert eager == (0, 1) and compiled != eager


def test_the_copy_to_contiguous_is_part_of_the_loop_before_it() -> None:
    operator = make_operator(Tag.needs_contiguous_strides)
    x = torch.randn(6, 8)
    names = [kernel.name for kernel in capture(lambda x: operator(torch.relu(x.t())), machine_code=False)(x).kernels]
    assert len(names) == 2 and names[0].startswith("cpp_fused") and "layout_tests" in names[1]


def test_only_flexible_layout_passes_on_the_layout_of_a_convolution_of_dynamic_size() -> None:
    conv = nn.Conv2d(8, 16, 3).requires_grad_(False)
    image = torch.randn(2, 8, 6, 6)
    flexible = make_operator(Tag.flexible_layout)
    eager, compiled = strides(lambda image: flexible(conv(image).relu()), image, dynamic=True)
    assert eager == (256, 16, 4, 1) and compiled == (256, 1, 64, 16)
    STRIDES.clear()
    both = make_operator(Tag.flexible_layout, Tag.needs_exact_strides)  # the stricter tag counts
    eager, compiled = strides(lambda image: both(conv(image).relu()), image, dynamic=True)
    assert eager == compiled


def test_the_setting_is_the_default_for_operators_without_a_tag() -> None:
    conv = nn.Conv2d(8, 16, 3).requires_grad_(False)
    image = torch.randn(2, 8, 6, 6)
    with torch._functorch.config.patch(custom_op_default_layout_constraint="flexible_layout"):
        operator = make_operator()
        eager, compiled = strides(lambda image: operator(conv(image)), image)
    assert eager != compiled


def test_the_strides_of_the_trace_are_not_always_those_of_eager_mode() -> None:
    operator = make_operator()
    x = torch.randn(2, 8, 4, 4).to(memory_format=torch.channels_last)
    eager, compiled = strides(lambda x: operator(torch.cat([x, x], 1)), x)
    assert eager == (256, 1, 64, 16) and compiled == (256, 16, 4, 1)


def test_an_operator_writes_into_the_tensor_that_eager_mode_gives_it() -> None:
    @torch.library.custom_op("layout_tests::double_", mutates_args={"x"})
    def double_(x: torch.Tensor) -> None:
        STRIDES.append(x.stride())
        x.mul_(2)

    def update(x: torch.Tensor) -> torch.Tensor:
        double_(x.t())
        return x + 1

    expected, actual = torch.ones(6, 8), torch.ones(6, 8)
    torch.testing.assert_close(torch.compile(update)(actual), update(expected))
    assert torch.equal(actual, expected) and STRIDES == [(1, 8), (1, 8)]


def test_without_the_check_of_strides_a_wrong_fake_function_is_a_wrong_number() -> None:
    @torch.library.custom_op("layout_tests::transposed", mutates_args=())
    def transposed(x: torch.Tensor) -> torch.Tensor:
        return x.t().contiguous().t()

    transposed.register_fake(torch.empty_like)
    x = torch.arange(12.0).view(3, 4)

    def total(x: torch.Tensor) -> torch.Tensor:
        return transposed(x).sum(0)

    with pytest.raises(AssertionError, match="stride"):
        torch.compile(total)(x)
    torch.compiler.reset()
    result = torch.compile(total, options={"size_asserts": False})(x)
    assert not torch.equal(result, total(x))


def test_a_constraint_by_hand_is_overwritten_by_the_first_compile_and_loses_to_a_tag() -> None:
    from torch._inductor.lowering import add_layout_constraint, require_contiguous_strides

    operator = make_operator()
    overload = operator._opoverload
    add_layout_constraint(overload, require_contiguous_strides)
    x = torch.randn(6, 8)
    assert strides(lambda x: operator(x.t()), x)[1] == (1, 8)
    STRIDES.clear()
    add_layout_constraint(overload, require_contiguous_strides)
    assert strides(lambda x: operator(x.t()), x)[1] == (6, 1)
    STRIDES.clear()
    tagged = make_operator(Tag.needs_exact_strides)
    strides(lambda x: tagged(x.t()), x)
    add_layout_constraint(tagged._opoverload, require_contiguous_strides)
    STRIDES.clear()
    assert strides(lambda x: tagged(x.t() * 1), x)[1] == (1, 8)

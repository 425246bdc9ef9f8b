"""What docs/gpu/codegen.md says about Triton kernels, tried on other functions. No GPU is needed."""

import re
from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch import nn

from compile_lessons import Pipeline, capture

pytest.importorskip("triton")

from torch._inductor.runtime.hints import DeviceProperties
from torch._inductor.runtime.triton_heuristics import _reduction_configs


def generate(function: Callable[..., Any], *inputs: torch.Tensor, **settings: Any) -> Pipeline:
    target = settings.pop("target", "h200")
    return capture(function, target=target, machine_code=False, **settings)(*inputs)


def kinds(function: Callable[..., Any], *inputs: torch.Tensor, **settings: Any) -> list[str]:
    """Return the names in the decorators of a function's forward kernels."""
    kernels = generate(function, *inputs, **settings).graphs[0].kernels
    return [re.findall(r"@triton_heuristics\.(\w+)\(", kernel.source)[0] for kernel in kernels]


def grids(function: Callable[..., Any], *inputs: torch.Tensor, **settings: Any) -> list[str]:
    kernels = generate(function, *inputs, **settings).graphs[0].kernels
    return [re.findall(r"'grid_type': '(\w+)'", kernel.source)[0] for kernel in kernels]


@pytest.mark.parametrize(("rows", "block"), [(1024, 1024), (512, 2048)])
def test_many_loads_make_blocks_smaller_only_with_many_rows(rows: int, block: int) -> None:
    device = DeviceProperties("cuda", 0, 132, cc=90, major=9, warp_size=32)
    configs = _reduction_configs(
        size_hints={"x": rows, "r0_": 8192},
        inductor_meta={"num_load": 9, "num_reduction": 1, "max_autotune": True},
        triton_meta={"device": device},
    )
    assert max(config.kwargs["R0_BLOCK"] for config in configs) == block


ROWS = {
    "softmax": lambda x: torch.softmax(x, -1),
    "layer norm": lambda x: nn.functional.layer_norm(x, x.shape[-1:]),
    "largest": lambda x: x.amax(-1),
}


@pytest.mark.parametrize("name", ROWS)
def test_a_contiguous_row_is_persistent_up_to_1024_elements(name: str) -> None:
    assert kinds(ROWS[name], torch.empty(4096, 1024)) == ["persistent_reduction"]
    assert kinds(ROWS[name], torch.empty(4096, 1025)) == ["reduction"]


@pytest.mark.parametrize("function", [lambda x: x.amax(0), lambda x: (x * 2).mean(0)], ids=["amax", "mean"])
def test_a_column_is_persistent_up_to_64_elements(function: Callable[..., Any]) -> None:
    assert kinds(function, torch.empty(64, 4096)) == ["persistent_reduction"]
    assert kinds(function, torch.empty(65, 4096)) == ["reduction"]


@pytest.mark.parametrize("rows", [1, 263])
def test_long_rows_are_split_if_they_are_fewer_than_twice_the_multiprocessors(rows: int) -> None:
    x = torch.empty(rows, 8193)
    assert kinds(lambda x: x.amax(-1), x) == ["reduction", "persistent_reduction"]
    assert kinds(lambda x: x.amax(-1), x, dynamic=True) == ["reduction", "persistent_reduction"]
    assert kinds(lambda x: x.amax(-1), torch.empty(264, 8193)) == ["reduction"]


def test_the_limit_of_rows_is_that_of_the_device_and_a_b200_splits_longer_rows_only() -> None:
    few = lambda x: x.sum(-1)  # noqa: E731
    assert len(kinds(few, torch.empty(115, 8193), target="l4")) == 2
    assert len(kinds(few, torch.empty(116, 8193), target="l4")) == 1
    assert len(kinds(few, torch.empty(4, 524288), target="b200")) == 1
    assert len(kinds(few, torch.empty(4, 524289), target="b200")) == 2


@pytest.mark.parametrize(
    ("rows", "length", "cooperative"),
    [(1, 32768, True), (1, 32767, False), (9, 2**21, True), (16, 2**21, True), (9, 2**21 - 1, False)],
)
def test_when_a_reduction_is_cooperative(rows: int, length: int, cooperative: bool) -> None:
    options = {"triton.cooperative_reductions": True}
    found = kinds(lambda x: x.sum(-1), torch.empty(rows, length), options=options)
    assert ("cooperative_reduction" in found) == cooperative


class Heads(nn.Module):
    """The end of attention: heads side by side, and a residual."""

    def forward(self, heads: torch.Tensor, x: torch.Tensor) -> torch.Tensor:
        return heads.transpose(1, 2).reshape(x.shape) + x


TWO_ORDERS = {
    "transposed": (lambda x, y: x + y.t(), (torch.empty(512, 512), torch.empty(512, 512))),
    "channels last": (
        lambda x, y: x + y,
        (torch.empty(8, 64, 32, 32), torch.empty(8, 64, 32, 32).to(memory_format=torch.channels_last)),
    ),
    "columns": (lambda x, y: x.t().contiguous() * 2, (torch.empty(512, 256), torch.empty(1))),
}


@pytest.mark.parametrize("dynamic", [False, True])
@pytest.mark.parametrize("name", TWO_ORDERS)
def test_reads_with_different_orders_are_tiled(name: str, dynamic: bool) -> None:
    function, inputs = TWO_ORDERS[name]
    [grid] = grids(function, *inputs, dynamic=dynamic)
    assert grid.startswith("Grid2D")
    assert grids(function, *inputs, options={"triton.max_tiles": 1}) == ["Grid1D"]


def test_heads_that_stay_contiguous_are_not_tiled() -> None:
    heads = torch.empty(2, 8, 128, 64)
    assert grids(Heads(), heads, torch.empty(2, 128, 512)) == ["Grid1D"]


def test_a_backward_pass_is_tiled_as_well() -> None:
    def loss(x, y):
        return (x.t() * y).sin()

    x = torch.ones(256, 512, requires_grad=True)
    y = torch.ones(512, 256, requires_grad=True)
    pipeline = capture(loss, target="h200", machine_code=False)(x, y)
    assert any("'Grid2D'" in kernel.source for kernel in pipeline.graphs[0].kernels)


def test_a_dynamic_size_gets_a_guard_that_the_index_fits_into_32_bits() -> None:
    pipeline = generate(lambda x: x * 2, torch.empty(64, 32), dynamic=True)
    assert any("<= 2147483647" in str(guard) for guard in pipeline.guards)


def test_a_kernel_with_many_loads_gets_smaller_blocks() -> None:
    def few(*inputs):
        return (inputs[0] * inputs[1]).sum(-1)

    def many(*inputs):
        return sum(inputs).sum(-1)

    inputs = [torch.empty(4096, 4096) for _ in range(10)]
    sizes = []
    for function in (few, many):
        pipeline = capture(function, target="h200")(*inputs)
        [kernel] = pipeline.graphs[0].inductor[0].gpu_kernels
        sizes.append(max(config.blocks["R0_BLOCK"] for config in kernel.configs))
    assert sizes == [2048, 1024]


def milliseconds(text: str) -> dict[tuple[str, str], float]:
    """Return the last column of a recorded table by the function and its setting."""
    times = re.findall(r"^(\w+)  +(.*?)  +\S+ +(\S+) ms$", text, re.M)
    return {(function, setting): float(ms) for function, setting, ms in times}


def test_what_the_choices_are_worth_on_a_gpu(recording: Callable[[str], Any]) -> None:
    times = milliseconds(recording("gpu/codegen/h200_choices.py").text)
    split = times["sum_all", ""]
    assert times["sum_all", "split_reductions = False"] > 20 * split
    assert times["sum_all", "triton.cooperative_reductions = True"] > split
    assert times["add_transposed", "triton.max_tiles = 1"] > 2 * times["add_transposed", ""]


def test_a_wide_index_cost_nothing_where_the_kernel_waits_for_memory(recording: Callable[[str], Any]) -> None:
    text = recording("gpu/codegen/h200_index64.py").text
    narrow, wide, narrow_rolled, wide_rolled = (float(ms) for ms in re.findall(r"(\S+) ms$", text, re.M))
    assert wide < 1.05 * narrow and wide_rolled < 1.05 * narrow_rolled


@pytest.mark.parametrize("function", [lambda x: x.sum(-1), lambda x: x.amax(-1), lambda x: x.exp().mean(-1)])
def test_the_first_size_decides_for_a_dynamic_size(function: Callable[..., Any]) -> None:
    counts = [len(kinds(function, torch.empty(count, 65536), dynamic=True)) for count in (4, 4096)]
    assert counts == [2, 1]

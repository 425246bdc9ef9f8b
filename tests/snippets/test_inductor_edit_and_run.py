"""What docs/inductor/edit-and-run.md says about output code that runs alone, tried on other functions."""

import re
import runpy
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import nn
from torch._dynamo.testing import rand_strided

from compile_lessons import capture
from compile_lessons.runs.machine import cxx_compiler

needs_compiler = pytest.mark.skipif(cxx_compiler() is None, reason="needs a C++ compiler")
X = torch.ones(8, 16)


def load(code: str, folder: Path) -> dict[str, Any]:
    file = folder / "output_code.py"
    file.write_text(code, encoding="utf-8")
    return runpy.run_path(str(file))


def double(x):
    return x * 2


FORWARD = [(double, None), (double, True), (nn.Linear(16, 4).requires_grad_(False), None)]


@needs_compiler
@pytest.mark.parametrize(("function", "dynamic"), FORWARD)
def test_a_file_computes_what_the_function_computes(
    function: Callable[..., torch.Tensor], dynamic: bool | None, tmp_path: Path
) -> None:
    [graph] = capture(function, machine_code=False, dynamic=dynamic)(X).graphs
    names = load(graph.inductor[0].output_code, tmp_path)
    arguments = names["get_args"]()
    inputs = [each for each in arguments if isinstance(each, torch.Tensor)]
    (result, *_) = names["call"](arguments)
    assert arguments == [], "it empties the list"
    [x] = [each for each in inputs if each.shape == X.shape]
    if isinstance(function, nn.Linear):
        weight, bias = sorted((each for each in inputs if each is not x), key=torch.Tensor.dim, reverse=True)
        torch.testing.assert_close(result, nn.functional.linear(x, weight, bias))
    else:
        torch.testing.assert_close(result, x * 2)


@needs_compiler
def test_training_has_a_file_for_each_direction() -> None:
    x = torch.ones(8, 16, requires_grad=True)
    [graph] = capture(lambda x: x.sin().sum(), machine_code=False)(x).graphs
    assert ["def get_args" in each.output_code for each in graph.inductor] == [True, True]


def test_integer_inputs_are_zeros_and_others_random() -> None:
    assert not rand_strided((8,), (1,), torch.int64).any()
    assert rand_strided((8,), (1,), torch.float32).any()


@pytest.mark.parametrize("names", ["torch", "inductor_node", "original_aten"])
def test_a_name_lists_operators_of_the_code_only_if_asked(names: str) -> None:
    pytest.importorskip("triton")
    options = {"triton.descriptive_names": names}
    pipeline = capture(nn.functional.gelu, target="h200", machine_code=False, options=options)(X)
    [kernel] = pipeline.graphs[0].kernels
    assert ("erf" in kernel.name) == (names == "inductor_node")
    assert kernel.name.startswith("triton_poi_fused_")


def bandwidths(text: str) -> list[float]:
    return [float(one) for one in re.findall(r"([\d.]+)GB/s", text)]


def test_the_edit_of_pow_was_faster_and_changed_no_element_on_a_gpu(recording: Callable[[str], Any]) -> None:
    recorded = recording("inductor/edit_and_run/h200_edit.py")
    as_written, edited, without = bandwidths(recorded.text)
    assert as_written * 1.9 < edited < without
    [row] = re.findall(r"^exp2\(log2\)  +(.*)$", recorded.text, re.M)
    assert row.split() == ["0.00%", "0"]

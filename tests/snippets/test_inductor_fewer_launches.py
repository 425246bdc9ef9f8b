"""What docs/inductor/fewer-launches.md says, from its recordings and from code generated for an H200."""

import re
from collections.abc import Callable
from typing import Any

import pytest
import torch

from compile_lessons import capture

Recording = Callable[[str], Any]


@pytest.mark.parametrize(("count", "kernels"), [(8, 1), (9, 2)])
def test_a_combo_kernel_has_at_most_eight_loops(count: int, kernels: int) -> None:
    pytest.importorskip("triton")
    tensors = [torch.empty(64 + 8 * number, 512) for number in range(count)]
    capturing = capture(
        lambda tensors: [tensor.exp() for tensor in tensors],
        target="h200",
        machine_code=False,
        options={"combo_kernels": True},
    )
    assert len(capturing(tensors).graphs[0].kernels) == kernels


def test_a_prologue_was_faster_than_the_library_with_a_cast(recording: Recording) -> None:
    text = recording("inductor/fused_launches/h200_prologue.py").text
    rows = re.findall(r"^(ATEN|TRITON) +(True|False) +(\S.*?)  +(\d+) µs$", text, re.M)
    library, template, prologue = rows
    assert "nvjet" in library[2] and template[2].count("triton_") == 2 and prologue[2].count("triton_") == 1
    assert 2 * int(prologue[3]) < int(library[3])


def test_fewer_launches_made_only_the_larger_tensors_faster(recording: Recording) -> None:
    text = recording("inductor/fused_launches/h200_combo.py").text
    rows = [(int(kernels), int(us)) for kernels, us in re.findall(r"(\d+) +(\d+) µs$", text, re.M)]
    assert [kernels for kernels, _ in rows] == [20, 3, 20, 3]
    small, small_combined, large, large_combined = (us for _, us in rows)
    assert abs(small_combined - small) < 0.03 * small and large_combined < 0.9 * large

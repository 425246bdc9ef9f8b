"""What docs/inductor/max-autotune.md says about the recorded table."""

from collections.abc import Callable

import pytest

from compile_lessons.course.records.record import Record


@pytest.fixture
def kernels(recording: Callable[[str], Record]) -> dict[str, str]:
    """Return the names of the kernels by rows and variant."""
    lines = recording("inductor/max_autotune/h200_modes.py").text.splitlines()
    return dict(line.split(": ", 1) for line in lines if line.startswith(("16, ", "8192, ")))


def test_the_template_needs_one_launch_and_the_library_three(kernels: dict[str, str]) -> None:
    assert kernels["16, max-autotune-no-cudagraphs"].split(", ") == ["triton_tem_fused_add_gelu_mm_0"]
    assert len(kernels["16, default"].split(", ")) == 3


def test_without_the_benchmark_of_the_fusion_the_library_won(kernels: dict[str, str]) -> None:
    assert "triton_tem" not in kernels["16, GELU fused untimed"]
    assert kernels["16, GELU fused untimed"] == kernels["16, default"]


def test_with_8192_rows_all_variants_without_cuda_graphs_call_the_same_kernels(kernels: dict[str, str]) -> None:
    variants = ("default", "max-autotune-no-cudagraphs", "GELU fused untimed")
    assert len({kernels[f"8192, {variant}"] for variant in variants}) == 1
    assert kernels["8192, max-autotune"].startswith(kernels["8192, default"])

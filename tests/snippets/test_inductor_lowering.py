"""How often the kernels of docs/inductor/lowering.md compute a value that several loops read."""

import pytest
import torch

from compile_lessons import capture
from compile_lessons.runs.machine import cxx_compiler

pytestmark = pytest.mark.skipif(cxx_compiler() is None, reason="needs a C++ compiler")


def head(x: torch.Tensor, bias: torch.Tensor, weight: torch.Tensor, shift: torch.Tensor) -> torch.Tensor:
    y = torch.nn.functional.gelu(x + bias)
    return torch.nn.functional.layer_norm(y, (512,), weight, shift)


@pytest.mark.parametrize(
    ("options", "training", "erfs"),
    [
        pytest.param(None, False, [3], id="as it is, the kernel computes GELU three times"),
        pytest.param({"realize_opcount_threshold": 5}, False, [1], id="with a lower threshold, once"),
        pytest.param(None, True, [3, 3], id="in training, forward and backward compute it three times each"),
    ],
)
def test_how_often_gelu_is_computed(options: dict[str, int] | None, training: bool, erfs: list[int]) -> None:
    inputs = [torch.randn(256, 512), *torch.randn(3, 512)]
    for tensor in inputs:
        tensor.requires_grad_(training)
    pipeline = capture(head, options=options, machine_code=False)(*inputs)
    assert [kernel.source.count(".erf()") for kernel in pipeline.kernels] == erfs

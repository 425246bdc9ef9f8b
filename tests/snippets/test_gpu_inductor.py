"""The facts of docs/gpu/inductor.md. What needs a GPU is read from its recording."""

import json
from pathlib import Path

import pytest
import torch

from compile_lessons import capture
from compile_lessons.gpu.tools import why_no_triton

needs_triton = pytest.mark.skipif(bool(why_no_triton()), reason="needs triton")


@pytest.mark.parametrize(("name", "kernels"), [("h200_kernel", 2), ("h200_softmax", 1), ("h200_norm", 1)])
def test_kernels_of_a_real_h200(recording, name, kernels):
    found = recording(f"gpu/{name}.py")
    assert found.device == "NVIDIA H200"
    assert found.values["kernels"] == kernels
    assert "tl.load(" in found.text and "tl.store(" in found.text


def test_what_the_page_says_of_names(recording):
    assert "def triton_poi_fused_mul_sigmoid_0(" in recording("gpu/h200_kernel.py").text
    assert "xoffset = tl.program_id(0) * XBLOCK" in recording("gpu/h200_kernel.py").text
    assert "def triton_per_fused_" in recording("gpu/h200_softmax.py").text
    assert "gelu" in recording("gpu/h200_norm.py").text and "native_layer_norm" in recording("gpu/h200_norm.py").text


@needs_triton
def test_the_same_kernel_without_a_gpu(record, recording):
    found = record("gpu/without_gpu.py")
    assert 0 < found.values["registers"] < 256
    assert 0 < found.values["occupancy"] <= 1
    assert found.values["spills"] == 0
    real = recording("gpu/h200_kernel.py").text
    for line in ("tmp3 = tl.sigmoid(tmp2)", "tmp4 = tmp0 * tmp3"):
        assert line in found.text and line in real


def test_fidelity(record):
    values = record("gpu/fidelity.py").values
    assert values["cases"] >= 150
    assert values["device"] == "NVIDIA H200"
    assert values["real_torch"] == values["cross_torch"]
    assert values["identical"] / values["kernels"] > 0.95


def test_models(record):
    values = record("gpu/models.py").values
    assert (values["models"], values["device"]) == (24, "NVIDIA H200")
    assert values["reach_machine_code"] >= 21
    assert 0 < values["identical"] <= values["same_but_numbers"] <= values["kernels"]
    assert values["same_but_numbers"] / values["kernels"] > 0.85


def test_numerics(record):
    values = record("gpu/numerics.py").values
    parts = [values[name] for name in ("cases_compared", "cases_random", "cases_not_run")]
    assert sum(parts) == values["cases"] >= 60
    assert values["cases_equal"] + values["cases_over"] == values["cases_compared"]
    assert values["kernels_compared"] / values["kernels"] > 0.8


def test_cases_over_the_tolerance_are_named_on_the_page():
    root = Path(__file__).parents[2]
    page = (root / "docs/gpu/inductor.md").read_text()
    rows = json.loads((root / "snippets/gpu/numerics.json").read_text())["rows"]
    over = [row["case"] for row in rows if row["equal"] is False]
    assert over
    assert all(f"`{name}`" in page for name in over)


def test_autocast_asks_for_the_device_in_cpp():
    header = Path(torch.__file__).parent / "include/ATen/autocast_mode.h"
    assert "is_autocast_eligible" in header.read_text() and "tensor.is_cuda()" in header.read_text()


@needs_triton
@pytest.mark.nightly
@pytest.mark.parametrize(("parameters", "kernels"), [(2, 1), (130, 3)])
def test_kernels_of_an_optimizer_step(parameters, kernels):
    weights = [torch.nn.Parameter(torch.ones(8)) for _ in range(parameters)]
    for weight in weights:
        weight.grad = torch.ones(8)
    pipeline = capture(torch.optim.SGD(weights, lr=0.1).step, target="h200", machine_code=False)()
    assert sum(kernel.kind == "triton" for kernel in pipeline.kernels) == kernels

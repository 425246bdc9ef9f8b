# /// lesson
# needs = ["peers"]
# ///
"""torchao's configurations: bytes of a weight, the error, and which run on a CPU."""

import copy
import logging

import torch

logging.disable()  # torchao warns of its CUDA libraries
from torchao.prototype import mx_formats
from torchao.quantization import (
    Float8WeightOnlyConfig,
    Int4WeightOnlyConfig,
    Int8WeightOnlyConfig,
    IntxWeightOnlyConfig,
    quantize_,
)

from compile_lessons import Table, show

torch.manual_seed(0)
torch.set_grad_enabled(False)
model = torch.nn.Sequential(torch.nn.Linear(1024, 1024, bias=False)).bfloat16()
x = torch.randn(32, 1024, dtype=torch.bfloat16)
expected = model(x)


# region formats
def outcome(config):
    """Return the bytes of each weight, the error, and how the compiled model did."""
    quantized = copy.deepcopy(model)
    quantize_(quantized, config)
    weight = quantized[0].weight
    parts, _ = weight.__tensor_flatten__()
    stored = sum(getattr(weight, part).nbytes for part in parts) / weight.numel()
    result = quantized(x)
    compiled = torch.compile(quantized, fullgraph=True, backend="aot_eager")(x)
    torch.testing.assert_close(compiled, result)
    error = float((result - expected).norm() / expected.norm())
    return [f"{stored:.2f}", f"{error:.1%}", "runs"]


configurations = [
    Int8WeightOnlyConfig(),
    Float8WeightOnlyConfig(),
    IntxWeightOnlyConfig(torch.int4),
    mx_formats.NVFP4WeightOnlyConfig(),
    Int4WeightOnlyConfig(),
    mx_formats.MXDynamicActivationMXWeightConfig(),
    mx_formats.NVFP4DynamicActivationNVFP4WeightConfig(),
]
# endregion
rows = []
for config in configurations:
    try:
        result = outcome(config)
    except (ImportError, ValueError, AssertionError) as error:
        result = ["", "", f"{type(error).__name__}: {str(error).splitlines()[0]}"]
    rows.append([type(config).__name__, *result])
show(Table(["configuration", "bytes a weight", "error", "on this CPU"], rows))
# region checks
assert [row[3] == "runs" for row in rows] == [True] * 4 + [False] * 3
assert float(rows[3][1]) < 0.6 < float(rows[0][1])
# endregion

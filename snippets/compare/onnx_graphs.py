# /// lesson
# needs = ["peers"]
# ///
"""What torch.onnx.export writes, and what ONNX Runtime makes of the MLP."""

import tempfile
from pathlib import Path

import onnx
import torch
from _onnx import model, session
from five import mlp


def branch_cond(x):
    return torch.cond(x.sum() > 0, lambda x: x * 2, lambda x: x - 1, (x,))


written = model(branch_cond, (torch.ones(4, 8),))
print(onnx.printer.to_text(written.graph))

example = [torch.rand(shape) for shape in ((4, 8), (8, 16), (16,), (16, 2), (2,))]
written = model(mlp, tuple(example))
file = Path(tempfile.mkdtemp()) / "optimized.onnx"
session(written, optimized=file)
before = [node.op_type for node in written.graph.node]
after = [node.op_type for node in onnx.load(file).graph.node]
print("the MLP as exported:  ", *before)
print("after ONNX Runtime:   ", *after)
# region checks
assert len(after) < len(before)
# endregion

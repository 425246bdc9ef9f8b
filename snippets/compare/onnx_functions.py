# /// lesson
# needs = ["peers"]
# ///
"""The five functions in ONNX Runtime, by torch.onnx.export(dynamo=True)."""

import torch
from _onnx import exported
from _outcome import report


def branch_cond(x):
    return torch.cond(x.sum() > 0, lambda x: x * 2, lambda x: x - 1, (x,))


functions = {name: exported(name) for name in ("softmax", "mlp", "branch", "center", "step")}
functions["branch, torch.cond"] = exported("branch", branch_cond)
functions["center, dynamic_shapes"] = exported("center", dynamic_shapes=({0: torch.export.Dim("rows")},))
outcomes = report(functions, lambda array: array)
# region checks
as_is, rewritten, training = (outcomes[name] for name in ("branch", "branch, torch.cond", "step"))
sizes, sizes_declared = outcomes["center"], outcomes["center, dynamic_shapes"]
assert (as_is, rewritten, training) == ("TorchExportError", "as eager", "ConversionError")
assert (sizes, sizes_declared) == ("InvalidArgument", "as eager")
assert outcomes["softmax"] == outcomes["mlp"] == "as eager"
# endregion

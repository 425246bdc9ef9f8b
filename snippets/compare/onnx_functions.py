# /// lesson
# needs = ["peers"]
# ///
"""The five functions in ONNX Runtime, by torch.onnx.export(dynamo=True)."""

import torch
from _onnx import exported
from _outcome import report


def branch_cond(x):
    return torch.cond(x.sum() > 0, lambda x: x * 2, lambda x: x - 1, (x,))


names = ("softmax", "mlp", "branch", "center", "step")
functions = {name: exported(name) for name in names}
functions["branch, torch.cond"] = exported("branch", branch_cond)
rows = {0: torch.export.Dim("rows")}
functions["center, dynamic_shapes"] = exported("center", dynamic_shapes=(rows,))
outcomes = report(functions, lambda array: array)
# region checks
as_is = outcomes["branch"]
rewritten = outcomes["branch, torch.cond"]
sizes = outcomes["center"]
sizes_declared = outcomes["center, dynamic_shapes"]
training = outcomes["step"]
assert (as_is, rewritten) == ("TorchExportError", "as eager")
assert training == "ConversionError"
assert (sizes, sizes_declared) == ("InvalidArgument", "as eager")
assert outcomes["softmax"] == outcomes["mlp"] == "as eager"
# endregion

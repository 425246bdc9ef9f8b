# /// lesson
# needs = ["peers", "compiler"]
# ///
"""The five functions under torch.compile(backend="openvino")."""

import warnings

import five
import torch
from _outcome import report

warnings.simplefilter("ignore")  # of names that OpenVINO's package takes from torch
OPTIONS = {"config": {"INFERENCE_PRECISION_HINT": "f32"}}  # not bfloat16


def compiled(function):
    return torch.compile(function, backend="openvino", options=OPTIONS)


def branch_cond(x):
    return torch.cond(x.sum() > 0, lambda x: x * 2, lambda x: x - 1, (x,))


names = ("softmax", "mlp", "branch", "center", "step")
functions = {name: compiled(getattr(five, name)) for name in names}
functions["branch, torch.cond"] = compiled(branch_cond)
outcomes = report(functions, torch.from_numpy)
# region checks
as_is = outcomes["branch"]
rewritten = outcomes["branch, torch.cond"]
sizes = outcomes["center"]
training = outcomes["step"]
assert set(outcomes.values()) == {"as eager"}
# endregion

# /// lesson
# needs = ["peers", "compiler"]
# ///
"""The five functions under torch.compile(backend="openvino")."""

import warnings

import five
import torch
from _outcome import report

with warnings.catch_warnings():
    warnings.simplefilter("ignore")


def compiled(name):
    return torch.compile(getattr(five, name), backend="openvino")


def branch_cond(x):
    return torch.cond(x.sum() > 0, lambda x: x * 2, lambda x: x - 1, (x,))


names = ("softmax", "mlp", "branch", "center", "step")
functions = {name: compiled(name) for name in names}
functions["branch, torch.cond"] = torch.compile(branch_cond, backend="openvino")
outcomes = report(functions, torch.from_numpy)
# region checks
as_is, rewritten, sizes, training = (outcomes[name] for name in ("branch", "branch, torch.cond", "center", "step"))
assert set(outcomes.values()) == {"as eager"}
# endregion

# /// lesson
# needs = ["peers"]
# ///
"""The five functions under torch.export."""

import logging
import warnings

import five
import torch
from _outcome import CALLS, report

warnings.simplefilter("ignore")  # the last line of the output is what these warn of
logging.disable(logging.WARNING)


class Call(torch.nn.Module):
    def __init__(self, function):
        super().__init__()
        self.forward = function


def exported(name, function=None, **options):
    """Export in the call, so that an error is an outcome; run the exported graph."""
    example = tuple(map(torch.from_numpy, CALLS[name][0]))
    module = Call(function or getattr(five, name))
    return lambda *arguments: torch.export.export(module, example, **options).module()(*arguments)


def branch_cond(x):
    return torch.cond(x.sum() > 0, lambda x: x * 2, lambda x: x - 1, (x,))


functions = {name: exported(name) for name in ("softmax", "mlp", "branch", "center")}
functions["branch, torch.cond"] = exported("branch", branch_cond)
functions["center, dynamic_shapes"] = exported("center", dynamic_shapes=({0: torch.export.Dim("rows")},))
outcomes = report(functions, torch.from_numpy)
weights, loss = exported("step")(*map(torch.from_numpy, CALLS["step"][0]))
print("step returns a", training := type(weights).__name__)
# region checks
as_is, rewritten = outcomes["branch"], outcomes["branch, torch.cond"]
sizes, sizes_declared = outcomes["center"], outcomes["center, dynamic_shapes"]
assert (as_is, rewritten) == ("GuardOnDataDependentSymNode", "as eager")
assert (sizes, sizes_declared) == ("AssertionError", "as eager")
assert (outcomes["softmax"], outcomes["mlp"], training) == ("as eager", "as eager", "FakeTensor")
# endregion

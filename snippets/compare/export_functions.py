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


def exported(name, function, sizes=None):
    """Return a function that exports in its call, so that an error is an outcome."""

    def export_and_call(*arguments):
        example = tuple(map(torch.from_numpy, CALLS[name][0]))
        program = torch.export.export(Call(function), example, dynamic_shapes=sizes)
        return program.module()(*arguments)

    return export_and_call


def branch_cond(x):
    return torch.cond(x.sum() > 0, lambda x: x * 2, lambda x: x - 1, (x,))


names = ("softmax", "mlp", "branch", "center")
functions = {name: exported(name, getattr(five, name)) for name in names}
functions["branch, torch.cond"] = exported("branch", branch_cond)
rows = ({0: torch.export.Dim("rows")},)
functions["center, dynamic_shapes"] = exported("center", five.center, rows)
outcomes = report(functions, torch.from_numpy)
example = map(torch.from_numpy, CALLS["step"][0])
weights, loss = exported("step", five.step)(*example)
training = type(weights).__name__
print("step returns a", training)
# region checks
as_is = outcomes["branch"]
rewritten = outcomes["branch, torch.cond"]
sizes = outcomes["center"]
sizes_declared = outcomes["center, dynamic_shapes"]
assert (as_is, rewritten) == ("GuardOnDataDependentSymNode", "as eager")
assert (sizes, sizes_declared) == ("AssertionError", "as eager")
assert outcomes["softmax"] == outcomes["mlp"] == "as eager"
assert training == "FakeTensor"
# endregion

# /// lesson
# needs = ["peers"]
# ///
"""The five functions under torch.jit.script and torch.jit.trace."""

import warnings

import five
import torch
from _outcome import CALLS, report

# torch.jit.script is deprecated; the page shows the tracer's warning
warnings.simplefilter("ignore")


def scripted(name):
    """Return a function that scripts in its call, so that an error is an outcome."""

    def script_and_call(*arguments):
        return torch.jit.script(getattr(five, name))(*arguments)

    return script_and_call


def traced(name):
    example = tuple(map(torch.from_numpy, CALLS[name][0]))
    return torch.jit.trace(getattr(five, name), example)


def differentiated(w, x, y):
    """Script the loss alone; autograd differentiates the call."""
    w = w.requires_grad_()
    value = loss(w, x, y)
    [gradient] = torch.autograd.grad(value, w)
    return (w - 0.1 * gradient).detach(), value.detach()


@torch.jit.script
def loss(w, x, y):
    return ((torch.tanh(x @ w) - y) ** 2).mean()


names = ("softmax", "mlp", "branch", "center", "step")
functions = {name: scripted(name) for name in names}
functions["branch, traced"] = traced("branch")
functions["center, traced"] = traced("center")
functions["step, loss scripted"] = differentiated
outcomes = report(functions, torch.from_numpy)
# region checks
as_is = outcomes["branch"]
by_tracing = outcomes["branch, traced"]
sizes = outcomes["center"]
training = outcomes["step"]
training_rewritten = outcomes["step, loss scripted"]
assert (as_is, by_tracing, sizes) == ("as eager", "WRONG", "as eager")
assert training_rewritten == outcomes["softmax"] == outcomes["mlp"] == "as eager"
# endregion

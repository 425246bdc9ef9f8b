# /// lesson
# needs = ["peers"]
# ///
"""The five functions under torch.jit.script and torch.jit.trace."""

import warnings

import five
import torch
from _outcome import CALLS, report

warnings.simplefilter("ignore")  # torch.jit.script is deprecated; the page shows the tracer's warning


def scripted(name):
    return lambda *arguments: torch.jit.script(getattr(five, name))(*arguments)


def traced(name):
    example = tuple(map(torch.from_numpy, CALLS[name][0]))
    return torch.jit.trace(getattr(five, name), example)


def differentiated(w, x, y):
    """Script the loss alone; autograd differentiates the call."""
    w = w.requires_grad_()
    value = loss(w, x, y)
    return (w - 0.1 * torch.autograd.grad(value, w)[0]).detach(), value.detach()


@torch.jit.script
def loss(w, x, y):
    return ((torch.tanh(x @ w) - y) ** 2).mean()


functions = {name: scripted(name) for name in ("softmax", "mlp", "branch", "center", "step")}
functions |= {f"{name}, traced": traced(name) for name in ("branch", "center")}
outcomes = report({**functions, "step, loss scripted": differentiated}, torch.from_numpy)
# region checks
as_is, by_tracing, sizes = (outcomes[name] for name in ("branch", "branch, traced", "center"))
training, training_rewritten = outcomes["step"], outcomes["step, loss scripted"]
assert (as_is, by_tracing, sizes) == ("as eager", "WRONG", "as eager")
assert training_rewritten == outcomes["softmax"] == outcomes["mlp"] == "as eager"
# endregion

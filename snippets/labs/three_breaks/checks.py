"""The block's breaks, and what its compiled form returns, prints and sends back as gradients."""

import contextlib
import io
import re

import torch

from compile_lessons.labs import Work, Wrong, require

torch.set_num_threads(1)  # so that other programs on this machine disturb less

LIMIT = 4.0
_FIX = {
    "print": "A print is a side effect. Which setting makes Dynamo move it after the graph, and which operator puts "
    "it into the graph?",
    "reorder": "Dynamo can move a print after the graph if its arguments are strings, constants or tensors. Print the "
    "tensor, not a float that you read from it.",
    "item": "`.item()` turns a value that isn't known during tracing into a Python float. Keep the tensor.",
    "branch": "Python's `if` needs the value of a tensor during tracing. Which operation chooses between two tensors?",
}


def _batches():
    """Return a usual batch, one of zeros, two with large values, and two that have overflowed."""
    factors = {"of usual size": 1, "of zeros": 0, "with large values": 5, "with very large values": 20}
    batches = {kind: factor * torch.randn(4, 8) for kind, factor in factors.items()}
    batches |= {"with an inf": torch.randn(4, 8), "with a nan": torch.randn(4, 8)}
    batches["with an inf"][1, 2], batches["with a nan"][3, 4] = torch.inf, torch.nan
    return batches


def _expected(model, x):
    """Return what the original returns for these weights."""
    if not torch.isfinite(x).all():
        return x
    scale = LIMIT / max(x.detach().abs().max().item(), LIMIT)
    return x + torch.nn.functional.gelu(x * scale @ model.up.weight.T) @ model.down.weight.T


def _compiled(model, x):
    """Return the compiled model's result and what it printed."""
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        y = torch.compile(model, backend="eager")(x)
    return y, printed.getvalue()


def check_the_graph(work: Work):
    """Dynamo makes one graph, without a break."""
    with contextlib.redirect_stdout(io.StringIO()):
        pipeline = work.capture(work.FeedForward(), until="dynamo")(torch.randn(4, 8))
    if pipeline.breaks:
        first = pipeline.breaks[0]
        line = first.stack[-1].text if first.stack else ""
        kind = (
            "reorder"
            if "reorder" in first.gb_type
            else "print"
            if "print(" in line
            else "item"
            if ".item()" in line
            else "branch"
        )
        raise Wrong(
            f"The number of breaks is {len(pipeline.breaks)}, and the number of graphs is {len(pipeline.graphs)}. The "
            f"first break is in your line `{line}` ({first.gb_type}). {_FIX[kind]}"
        )
    require(len(pipeline.graphs) == 1, f"There are {len(pipeline.graphs)} graphs, not one.")


def check_the_results(work: Work):
    """The compiled block returns what the original returns, also for inputs with inf and nan."""
    model = work.FeedForward()
    for kind, x in _batches().items():
        work.same(_compiled(model, x)[0], _expected(model, x), f"What the block returns for a batch {kind}")


def check_the_gradients(work: Work):
    """The gradients match the original's, also for inputs with inf and nan."""
    model = work.FeedForward()
    values = [model.up.weight, model.down.weight]
    for kind, x in _batches().items():
        x.requires_grad_()
        y, expected = _compiled(model, x)[0], _expected(model, x)
        require(y.requires_grad, "The result has no gradient: something detaches it from the input and the weights.")
        upstream = torch.randn_like(y)
        actual = torch.autograd.grad(y, [x, *values], upstream, materialize_grads=True)
        wanted = torch.autograd.grad(expected, [x, *values], upstream, materialize_grads=True)
        for name, one, other in zip(("the input", "up.weight", "down.weight"), actual, wanted, strict=True):
            nans = int(one.isnan().sum())
            if nans and not other.isnan().any():
                raise Wrong(
                    f"For a batch {kind}, the gradient of {name} has {nans} nan values, and the original's has none. "
                    "`torch.where` computes both sides: a zero gradient times nan is nan. Replace the bad input before "
                    "the computation, not only its result after it.",
                    "dynamo/fixing-breaks",
                )
            if not torch.allclose(one, other, rtol=1e-4, atol=1e-5):
                raise Wrong(
                    f"The result is right, but for a batch {kind} the gradient of {name} differs from the original's "
                    f"by up to {(one - other).abs().max().item():.2g}. In the original, the scale is computed "
                    "from `.item()`, a Python float, so no gradient flows through it. Does one flow through yours?",
                    "dynamo/fixing-breaks",
                )


def check_the_line(work: Work):
    """Each compiled call prints one line, with the largest input."""
    model = work.FeedForward()
    for kind, x in _batches().items():
        _, printed = _compiled(model, x)
        lines = [line for line in printed.splitlines() if line.startswith("largest input:")]
        require(
            len(lines) == 1,
            f"A compiled call with a batch {kind} prints {len(lines)} lines that begin with `largest input:`, not one. "
            "Some settings remove a break by leaving the print out.",
        )
        number = re.search(r"-?(?:\d[\d.]*(?:e[+-]?\d+)?|inf|nan)", lines[0].partition(":")[2])
        value = float(number.group()) if number else torch.nan
        largest = x.abs().max().item()
        require(
            torch.allclose(torch.tensor(value), torch.tensor(largest), rtol=1e-3, atol=1e-4, equal_nan=True),
            f"For a batch {kind}, the line is `{lines[0]}`, but the largest absolute value of the input is "
            f"{largest:.4f}. The line has to describe the original input.",
        )

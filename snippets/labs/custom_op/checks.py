"""The results of the operator, the graph of the model around it, the shape that the compiler expects, the gradient."""

from unittest.mock import patch

import numpy
import torch
from torch._subclasses import FakeTensorMode

from compile_lessons.labs import Work, Wrong, require


def _curve():
    knots = torch.randn(6).cumsum(0).sort().values + torch.arange(6)
    return knots, torch.randn(6)


def _reference(x, knots, values):
    """The same curve in torch operators, which autograd can differentiate, in float64 as `numpy.interp` computes."""
    knots, values = knots.double(), values.double()
    inside = x.double().clamp(knots[0].item(), knots[-1].item())
    segment = torch.bucketize(inside.detach(), knots).clamp(1, len(knots) - 1)
    slope = (values[segment] - values[segment - 1]) / (knots[segment] - knots[segment - 1])
    return (values[segment - 1] + slope * (inside - knots[segment - 1])).to(x.dtype)


def _arguments():
    """Return readings of which many lie outside the curve, on both sides, a weight and the curve."""
    return 3 * torch.randn(20, 4), torch.randn(4, 3, requires_grad=True), *_curve()


def check_the_results(work: Work):
    """`calibrate` returns what `numpy.interp` returns, and changes none of its arguments."""
    for x in (torch.randn(7) * 4, torch.randn(2, 3), torch.randn(4, dtype=torch.float64)):
        knots, values = _curve()
        arguments = (x.clone(), knots.clone(), values.clone())
        work.same(work.calibrate(*arguments), _reference(x, knots, values), "The result of `calibrate`")
        for name, before, after in zip(("x", "knots", "values"), (x, knots, values), arguments, strict=True):
            require(
                torch.equal(before, after),
                f"`calibrate` changes its argument `{name}`. An operator with `mutates_args=()` promises not to: the "
                "compiler may reorder the operator or share memory, and then results are wrong without an error.",
            )


def check_the_graph(work: Work):
    """`model` compiles into one graph, and the compiled model still calls `numpy.interp`."""
    readings, weight, knots, values = _arguments()
    try:
        pipeline = work.capture(work.model, until="dynamo")(readings, weight.detach(), knots, values)
    except Wrong as error:
        if "fake tensor" not in str(error):
            raise
        raise Wrong(
            "Dynamo now puts `calibrate` into the graph, and runs it on fake tensors to learn the shape and the dtype "
            "of its result. Fake tensors have no data for `numpy.interp`: the operator needs a fake kernel.",
            "fix/crashes",
        ) from None
    if pipeline.breaks:
        raise Wrong(f"The graph of `model` breaks: {pipeline.breaks[0].gb_type}. Dynamo still traces `calibrate`.")
    with patch("numpy.interp", wraps=numpy.interp) as interp:
        torch.compile(work.model, backend="eager")(readings, weight.detach(), knots, values)
    require(
        interp.called,
        "The compiled model doesn't call `numpy.interp` any more. If torch has the operators that a function needs, "
        "rewriting it with them is a good fix. This lab is about functions that you can't rewrite: keep the call.",
    )


def check_the_fake_kernel(work: Work):
    """Without data, `calibrate` still returns the right shape and dtype."""
    for shape, dtype in (((7,), torch.float32), ((2, 3), torch.float64), ((1, 2, 3), torch.float32)):
        with FakeTensorMode():
            result = work.calibrate(torch.empty(shape, dtype=dtype), torch.empty(6), torch.empty(6))
        told, real = (tuple(result.shape), result.dtype), (shape, dtype)
        require(
            told == real,
            f"For `x` of shape {shape} and dtype {dtype}, the fake kernel returns {told[0]} and {told[1]}. The "
            "compiler plans memory with this answer, so it has to match the real kernel's.",
        )


def check_the_gradient(work: Work):
    """The gradient for `x` is the slope of the curve, both in eager mode and compiled."""
    for name, function in (
        ("In eager mode", work.model),
        ("Compiled", torch.compile(work.model, backend="aot_eager", fullgraph=True)),
    ):
        readings, weight, knots, values = _arguments()
        expected = torch.tanh(_reference(readings @ weight, knots, values)) * 2
        (expected,) = torch.autograd.grad(expected.sum(), weight)
        try:
            (gradient,) = torch.autograd.grad(function(readings, weight, knots, values).sum(), weight)
        except RuntimeError as error:
            if "autograd formula" not in str(error) and "does not require grad" not in str(error):
                raise
            raise Wrong(
                f"{name}, `weight` gets no gradient: `calibrate` has no formula for its gradient, and autograd can't "
                "look inside an operator. `weight` would never be trained.",
                "dynamo/fixing-breaks",
            ) from None
        require(
            torch.allclose(gradient, expected, rtol=1e-3, atol=1e-4),
            f"{name}, the gradient for `weight` is off by up to {(gradient - expected).abs().max():.2g}. The gradient "
            "for `x` is the gradient of the result times the slope of the curve at `x`, and the curve is flat to the "
            "left of its first knot and to the right of its last one.",
        )

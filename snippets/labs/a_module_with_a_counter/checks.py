"""Six calls of modules that count them: compiles, results and the count."""

import torch

from compile_lessons.labs import Work, Wrong, require

_THINK = {
    "Int": "Dynamo treats an int on a module as part of the module's configuration. Does it matter what uses the int?",
    "Float": "A float on a module becomes a symbol as soon as its value changes, like an argument.",
    "Items": "The graph is valid only for a list of the length that Dynamo saw.",
    "Buffer": "A guard on a tensor doesn't check the number that the tensor holds.",
}


def _inputs(number):
    return [torch.randn(3, 5) for _ in range(number)]


def check_predictions(work: Work):
    """COMPILES has the right number of compiles in four calls of each class."""
    for name, think in _THINK.items():
        require(name in work.COMPILES, f'COMPILES has no entry "{name}".')
        calls = work.calls(getattr(work, name)())([(x,) for x in _inputs(4)]).calls
        compiles, predicted = sum(call.compiles for call in calls), work.COMPILES[name]
        if predicted != compiles:
            fewer = isinstance(predicted, int) and predicted > compiles
            raise Wrong(f"`{name}` needs {'fewer' if fewer else 'more'} compiles than {predicted}. {think}")


def check_results(work: Work):
    """The results of `Warmup` grow for four calls, `calls` counts the calls, and `reset` starts over."""
    inner = torch.nn.Linear(5, 2)
    warmup = work.Warmup(inner)
    for round_ in ("", " after `reset`"):
        for number, x in enumerate(_inputs(6), 1):
            work.same(warmup(x), inner(x) * min(number, 4) / 4, f"The result of call {number}{round_}")
            require(hasattr(warmup, "calls"), "`Warmup` has no attribute `calls`.")
            require(
                int(warmup.calls) == number,
                f"`calls` is {int(warmup.calls)}, not {number}, after call {number}{round_}.",
            )
        warmup.reset()


def check_the_gradients(work: Work):
    """The gradients of `Warmup` match eager mode's in two training steps."""
    inner = torch.nn.Linear(5, 2)
    torch.compiler.reset()
    compiled = torch.compile(work.Warmup(inner), backend="aot_eager")
    for number, x in enumerate(_inputs(2), 1):
        (gradient,) = torch.autograd.grad(compiled(x).sum(), inner.weight)
        (expected,) = torch.autograd.grad((inner(x) * number / 4).sum(), inner.weight)
        require(
            torch.allclose(gradient, expected, rtol=1e-3, atol=1e-5),
            f"The result of call {number} is right, and the gradient of the inner module isn't. The backward pass "
            "reads the count after `forward` has changed it in place, so it uses the count of the next call.",
            "production/wrong-updates",
        )


def check_the_graph(work: Work):
    """One call of `Warmup` compiles into one graph."""
    pipeline = work.capture(work.Warmup(torch.nn.Linear(5, 2)), until="dynamo")(torch.randn(3, 5))
    if pipeline.breaks:
        raise Wrong(
            f"The graph breaks: {pipeline.breaks[0].gb_type}. So the inner module and the factor aren't compiled "
            "together.",
            "dynamo/fixing-breaks",
        )


def check_compiles(work: Work):
    """Six calls of `Warmup` need one compile, and so do six calls that are each followed by `reset`."""
    for resets in (False, True):
        warmup = work.Warmup(torch.nn.Linear(5, 2))
        calls = work.calls(_then_reset(warmup) if resets else warmup)([(x,) for x in _inputs(6)]).calls
        compiles = sum(call.compiles for call in calls)
        failed = [guard.partition("  #")[0] for call in calls for guard in call.failed]
        require(
            compiles == 1,
            f"Six calls{', with `reset` after each,' if resets else ''} need {compiles} compiles. "
            f"Among the guards that failed: {failed[-1] if failed else 'none'}. Where can you keep a number so that "
            "its guard doesn't compare the value?",
        )


def _then_reset(warmup):
    class AndReset(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.warmup = warmup

        def forward(self, x):
            y = self.warmup(x)
            self.warmup.reset()
            return y

    return AndReset()

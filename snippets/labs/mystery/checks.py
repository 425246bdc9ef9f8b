"""One epoch of the script, with `aot_eager`, which notes what runs compiled, and a clock that it moves on."""

import collections
import functools
import math
import time
from types import SimpleNamespace

import torch
import torch.nn.functional as F

from compile_lessons.labs import Work, Wrong, require
from compile_lessons.pipeline.session import session

STEPS, LIMIT, WARMUP, RATE, MOMENTUM = 7, 5.0, 5, 0.2, 0.9
#: Seconds by the check's clock: what the first compile takes, and what a run of a graph takes.
COMPILE, RUN = 100.0, 1.0
#: Versions of one function: one of them, or two where a number becomes a symbol, and as many for validation.
MOST_VERSIONS = 4


_aot_eager = torch._dynamo.lookup_backend("aot_eager")  # it has a backward graph, which can have faults of its own


class Backend:
    """Runs each graph by `aot_eager`. Notes the memory that a graph reads, and moves the clock on."""

    def __init__(self):
        self.graphs, self.read = 0, []

    def __call__(self, module, inputs):
        self.graphs += 1
        if self.graphs == 1:
            _clock.seconds += COMPILE
        compiled = _aot_eager(module, inputs)

        def run(*args):
            _clock.seconds += RUN
            self.read.append({_memory(arg) for arg in args if isinstance(arg, torch.Tensor)})
            return compiled(*args)

        return run

    def runs_with(self, tensor):
        return sum(_memory(tensor) in read for read in self.read)


def _memory(tensor):
    return tensor.untyped_storage().data_ptr()


def check_the_numbers(work: Work):
    """The losses, activities, rates and accuracies match the original script's."""
    trained = _train(work)
    for name, expected in trained.expected.items():
        values = getattr(trained.log, name, None)
        require(isinstance(values, list), f"`log.{name}` is no longer a list: {values!r:.80}")
        require(
            len(values) == len(expected),
            f"`log.{name}` has {len(values)} entries after one epoch of {STEPS} steps, not {len(expected)}.",
        )
        odd = [value for value in values if not isinstance(value, float) and getattr(value, "numel", int)() != 1]
        require(not odd, f"An entry of `log.{name}` isn't a number: {odd[:1]!r:.80}")
        numbers = torch.tensor([value.item() if isinstance(value, torch.Tensor) else value for value in values])
        work.same(numbers, torch.tensor(expected), f"`log.{name}`")


def check_that_steps_run_compiled(work: Work):
    """In each training step, compiled code reads the features and the classes."""
    trained = _train(work)
    require(
        trained.backend.graphs,
        "The training compiled nothing. `train` has to pass `backend` on to `torch.compile`.",
        "pipeline/backends",
    )
    for what, part in (("features", 0), ("classes", 1)):
        steps = sum(trained.backend.runs_with(batch[part]) > 0 for batch in trained.batches)
        require(
            steps == STEPS,
            f"In {STEPS - steps} of {STEPS} training steps, no compiled graph reads the {what} of the batch. Work that "
            "belongs in compiled code runs in eager mode.",
            "pipeline/module",
        )


def check_the_faults(work: Work):
    """All six faults are gone."""
    trained = _train(work)
    symptoms = [fault(trained) for fault in (_item, _branch, _versions, _validation, _losses, _seconds)]
    left = [symptom for symptom in symptoms if symptom]
    if left:
        message, lesson = left[0]
        gone = 6 - len(left)
        raise Wrong(f"{gone} of 6 faults {'is' if gone == 1 else 'are'} gone. The next symptom: {message}", lesson)


def _item(trained):
    breaks = [item for item in trained.breaks if not _is_branch(item)]
    if not breaks:
        return None
    waits = "Python waits there for a value. What needs that value, and when?" if "item" in breaks[0].gb_type else ""
    return (
        "in the middle of a step, Python leaves compiled code and returns to it. Dynamo's reason for the graph "
        f"break: {breaks[0].gb_type}. {waits or 'The code at the break runs in eager mode.'}",
        "dynamo/graph-break-causes",
    )


def _branch(trained):
    if not any(map(_is_branch, trained.breaks)):
        return None
    return (
        "which line comes next depends on numbers in a tensor, so Dynamo ends the graph and asks Python. What would "
        "the other branch compute from the same tensor?",
        "dynamo/control-flow",
    )


def _versions(trained):
    if trained.versions <= MOST_VERSIONS:
        return None
    guards = [guard.partition("  #")[0] for guard in trained.failed]
    named = [guard for guard in guards if "==" in guard and "size" not in guard] or guards
    return (
        f"{STEPS} steps on batches of one size, and validation, need {trained.versions} versions of one function. "
        f"Among the guards that failed: {named[-1] if named else 'none'}.",
        "dynamo/recompiles",
    )


def _validation(trained):
    if trained.backend.runs_with(trained.validation[0]):
        return None
    return (
        f"{len(trained.backend.read)} graphs ran in this epoch, and none of them reads the features of the validation "
        "data. Which calls does `torch.compile` redirect, and which doesn't it?",
        "pipeline/module",
    )


def _losses(trained):
    every = (value for name in trained.expected for value in getattr(trained.log, name))
    alive = sum(isinstance(value, torch.Tensor) and value.requires_grad for value in every)
    if not alive:
        return None
    return (
        f"after training, {alive} numbers in the log still hold the autograd graph of their step. The longer the "
        "training, the more memory they hold.",
        "production/training",
    )


def _seconds(trained):
    seconds = getattr(trained.log, "seconds_per_step", None)
    if isinstance(seconds, float) and 0.9 * RUN <= seconds < COMPILE / STEPS:
        return None
    shown = f"{seconds:.3g}" if isinstance(seconds, float) else f"{seconds!r:.40}, not a float"
    return (
        f"`log.seconds_per_step` is {shown}. The check moves the clocks of `time` forward, by {COMPILE:g} s in the "
        f"first compile and by {RUN:g} s in each run of a graph. By these clocks, one of your later steps takes about "
        f"{trained.step:.0f} s.",
        "measure/timing",
    )


def _is_branch(item):
    return "branching" in item.gb_type.lower()


@functools.cache
def _train(work):
    """Train once: what the log has, what the original's has, and what Dynamo did."""
    model, backend, batches, validation = work.Net(), Backend(), [_draw(16) for _ in range(STEPS)], _draw(37)
    require(isinstance(model, torch.nn.Module), f"`Net()` is a {type(model).__name__}, not a `torch.nn.Module`.")
    for number, (x, _) in enumerate(batches):
        x[0, 0] = 100.0 if number % 2 else 4.0  # every second batch has a feature beyond the limit
    parameters = {name: value.detach().clone() for name, value in model.named_parameters()}
    names = [f"{layer}.{kind}" for layer in ("first", "second", "last") for kind in ("weight", "bias")]
    require(
        list(parameters) == names, f"The parameters of `Net()` are {', '.join(parameters)}, not {', '.join(names)}."
    )
    expected = _reference(parameters, batches, validation)
    with session() as watched:
        log = work.train(model, batches, validation, epochs=1, backend=backend)
    versions = collections.Counter(
        notes.code for notes in watched.dynamo.frames.values() if notes.rewritten is not None
    )
    return SimpleNamespace(
        log=log,
        expected=expected,
        backend=backend,
        batches=batches,
        validation=validation,
        breaks=[item for notes in watched.dynamo.frames.values() for item in notes.breaks.values()],
        versions=max(versions.values(), default=0),
        failed=list(watched.guards.failed),
        step=RUN * sum(backend.runs_with(x) for x, _ in batches[1:]) / (STEPS - 1),
    )


def _reference(parameters, batches, validation):
    """Return what the log of the original script has, from a training that is written again."""
    weights = {name: value.clone().requires_grad_() for name, value in parameters.items()}
    velocity = {name: torch.zeros_like(value) for name, value in parameters.items()}
    log = {"losses": [], "activities": [], "rates": [], "accuracies": []}
    for step, (x, y) in enumerate(batches):
        hidden, logits = _run(weights, x, min((step + 1) / WARMUP, 1.0))
        loss = F.cross_entropy(logits, y)
        gradients = torch.autograd.grad(loss, list(weights.values()))
        rate = RATE * (1 + math.cos(math.pi * step / STEPS)) / 2
        with torch.no_grad():
            for (name, weight), gradient in zip(weights.items(), gradients, strict=True):
                velocity[name] = MOMENTUM * velocity[name] + gradient
                weight -= rate * velocity[name]
        log["losses"].append(loss.item())
        log["activities"].append(hidden.abs().mean().item())
        log["rates"].append(rate)
    _, logits = _run(weights, validation[0], 1.0)
    log["accuracies"].append(float((logits.argmax(dim=1) == validation[1]).float().mean()))
    return log


def _run(weights, x, share):
    hidden = torch.tanh(F.linear(x.clamp(-LIMIT, LIMIT), weights["first.weight"], weights["first.bias"]))
    hidden = hidden + share * torch.tanh(F.linear(hidden, weights["second.weight"], weights["second.bias"]))
    return hidden, F.linear(hidden, weights["last.weight"], weights["last.bias"])


def _draw(rows):
    return torch.randn(rows, 20), torch.randint(4, (rows,))


def _moved_on(read):
    return lambda: read() + _clock.seconds


_clock = SimpleNamespace(seconds=0.0)
for _name in ("time", "perf_counter", "monotonic"):
    setattr(time, _name, _moved_on(getattr(time, _name)))

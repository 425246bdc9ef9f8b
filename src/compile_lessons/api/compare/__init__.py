"""Compare compiled calls with eager mode: ``capture(fn, compare=True)``, ``capture_calls(fn, compare=True)``.

Before the compiled call this process is forked. In the child the callable runs in eager mode, from the same start, and
sends back what it returned, its gradients, and what it changed in all that it can reach: tensors, arrays, and plain
values such as a counter in an attribute or a global. Of an output, the type, the strides, ``requires_grad`` and whose
memory it has count too. Where nothing can be forked (Windows, or after CUDA was initialized) the eager run is made on
deep copies in this process, after the compiled call. Functions, classes and modules are never copied, so a call that
changes what they hold is not compared then.

Where results differ by more than a tolerance, more children tell why:

- A call that draws random numbers is compiled again with ``torch._inductor.config.fallback_random``, as compiled code
  otherwise draws other numbers than eager mode.
- Eager mode runs again with the result of each operation moved a little: that shows which results depend on rounding,
  for example where a sum cancels. Compiled results may be off as far.
"""

import itertools
import sys
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from typing import Any, NoReturn

from compile_lessons.api.compare import jobs
from compile_lessons.api.compare.growth import grows_in
from compile_lessons.api.compare.jobs import Result
from compile_lessons.api.compare.judge import Noise, add_noise, judged, unsteady, without
from compile_lessons.api.compare.stages import NOT_A_LINE, STEPS, WRAPPER, Steps, first_line, smallest
from compile_lessons.api.compare.start import Copied, Forked, NoResult, Start, can_fork
from compile_lessons.api.compare.values import Snapshot, Values, values_of
from compile_lessons.facts import EagerComparison, Origin, Pipeline, StageFailure
from compile_lessons.findings.compared import BACKENDS
from compile_lessons.ground.arguments import Arguments, Step
from compile_lessons.pipeline.forward_backward import forward_backward
from compile_lessons.pipeline.session import CaptureSettings
from compile_lessons.pipeline.watched_call import WatchedCall, watch_call

#: How torch begins what it raises in a forked process where autograd had threads for a GPU.
_NO_FORK = "Unable to handle autograd's threading in combination with fork"

#: How often eager mode runs with other roundings, at most. A few runs can miss a difference that rounding makes in some
#: of them: the sign of an optimizer's first step, say.
_ROUNDINGS = 8


def captured_and_compared(
    fn: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any], settings: CaptureSettings
) -> Pipeline:
    """Return the pipeline of one compiled call, with its comparison."""
    if settings.device is not None:
        reason = f"the code is for {settings.device.name}; the call itself runs in eager mode on the CPU"
        return replace(watch_call(fn, args, kwargs, settings).pipeline, comparison=_not_compared(reason))
    start = Start(fn, [(args, kwargs)], settings)
    with ExitStack() as stack:
        eager_run = _eager_run(stack, start)
        watched = watch_call(fn, args, kwargs, settings)
        try:
            runs, [eager] = eager_run()
        except NoResult as error:
            return replace(watched.pipeline, comparison=_not_compared(f"the eager run: {error}"))
        if isinstance(eager, StageFailure):
            return _with_failure(watched.pipeline, eager)
        return replace(watched.pipeline, comparison=_comparison(runs, eager, watched, start.before))


def compared(fn: Callable[..., Any], other: Callable[..., Any], args: tuple[Any, ...]) -> EagerComparison:
    """Compare ``other``, another implementation of ``fn``, with ``fn`` in eager mode. Raise what ``other`` raises."""
    start = Start(fn, [(args, {})], CaptureSettings())
    with ExitStack() as stack:
        eager_run = _eager_run(stack, start)
        others = values_of(forward_backward(other, args, {}, "auto"), start.before)
        try:
            runs, [eager] = eager_run()
        except NoResult as error:
            return _not_compared(f"the eager run: {error}")
        if isinstance(eager, StageFailure):
            return _not_compared(f"the eager run raised {eager.type}")
        return _with_noise(runs, eager, others)


def calls_to_compare(
    stack: ExitStack,
    fn: Callable[..., Any],
    calls: Sequence[Arguments],
    settings: CaptureSettings,
    steps: Sequence[Sequence[Step]] = (),
) -> Callable[[], list[EagerComparison]]:
    """Return what compares each call with eager mode, to be called after the calls, before ``stack`` closes.

    ``fn`` is compiled for these comparisons alone, as a program would. ``steps`` has what to run before each call.
    """
    eager_run = _eager_run(stack, Start(fn, calls, settings, steps))

    def compare() -> list[EagerComparison]:
        who = "the eager run"
        try:
            runs, eager = eager_run()
            who = "the compiled calls"
            compiled = runs.run(jobs.compiled, any(isinstance(left, Values) and left.random for left in eager))
        except NoResult as error:
            return [_not_compared(f"{who}: {error}") for _ in calls]
        both = itertools.zip_longest(eager, compiled)
        comparisons: list[EagerComparison] = []
        for i, results in enumerate(both):
            is_first = all(earlier.status != "different" for earlier in comparisons)
            comparisons.append(_compared_call(runs, i, *results, is_first))
        return [*comparisons, *(_not_compared("an earlier call raised") for _ in calls[len(comparisons) :])]

    return compare


def _compared_call(
    runs: Forked | Copied, number: int, eager: Result | None, compiled: Result | None, find_origin: bool
) -> EagerComparison:
    """Compare one call. ``None`` is a call that was not made, as an earlier one raised.

    ``find_origin``: where the results differ, look for where that begins, which takes several more compiles.
    """
    if isinstance(eager, Values) and isinstance(compiled, Values):
        return _with_noise(runs, eager, compiled, number=number, find_origin=find_origin)
    if isinstance(eager, Values) and isinstance(compiled, StageFailure):
        if compiled.message.startswith(_NO_FORK):
            return _not_compared(f"the compiled calls, in a fork: {compiled.message}")
        reason = f"the compiled call raised {compiled.type}: {compiled.message}"
        return EagerComparison(status="different", reason=reason, values=())
    raised = f"the eager run raised {eager.type}" if isinstance(eager, StageFailure) else "an earlier call raised"
    return _not_compared(raised)


def _eager_run(stack: ExitStack, start: Start) -> Callable[[], tuple[Forked | Copied, list[Result]]]:
    """Return what makes the eager run, to be called after the compiled call. It returns what runs more jobs from the
    start, until ``stack`` closes, and the results. Raises ``NoResult``.

    In a forked process the run is made at once. On copies it is made after the compiled call, which then has changed
    what copies share with it only once.
    """
    try:
        if can_fork():
            forked = Forked(start)
            stack.callback(forked.close)
            results = forked.run(jobs.eager)
            if not (isinstance(results[-1], StageFailure) and results[-1].message.startswith(_NO_FORK)):
                return lambda: (forked, results)
        copied = Copied(start)
    except NoResult as error:
        return partial(_raise, error)
    return lambda: (copied, copied.run(jobs.eager))


def _raise(error: Exception) -> NoReturn:
    raise error


def _not_compared(reason: str) -> EagerComparison:
    return EagerComparison(status="not compared", reason=reason, values=())


def _with_failure(pipeline: Pipeline, eager: StageFailure) -> Pipeline:
    """Where eager mode raised too. The same failure of the compiled call has the line that eager mode has."""
    what = eager.type, eager.message
    failures = [
        replace(failure, location=eager.location) if (failure.type, failure.message) == what else failure
        for failure in pipeline.failures
    ]
    comparison = _not_compared(f"the eager run raised {eager.type}")
    return replace(pipeline, failures=(eager, *failures), comparison=comparison)


def _comparison(runs: Forked | Copied, eager: Values, watched: WatchedCall, before: Snapshot) -> EagerComparison:
    if watched.result is None:
        return _not_compared("the compiled run raised")
    try:
        comparison = _verdict(runs, eager, values_of(watched.result, before))
    except Exception as error:  # of any type: what a call returns may have methods of its own
        return _not_compared(f"comparing raised {type(error).__name__}: {error}")
    crashes = [failure.stage for failure in watched.pipeline.failures if failure.stage in ("aot", "inductor")]
    if comparison.status == "equal" and crashes:
        return _not_compared(f"{crashes[0]} failed, and what it did not compile ran in eager mode")
    return comparison


def _verdict(runs: Forked | Copied, eager: Values, compiled: Values) -> EagerComparison:
    """Compare, and where values differ look for a reason. Without one the difference stands.

    Where the call draws random numbers, the second compile may fail for reasons of its own, as torch's autograd can't
    run in a fork of a process in which a GPU computed gradients. Then nothing is known.
    """
    comparison = judged(eager, compiled)
    if comparison.status != "different" or not eager.random:
        return _with_noise(runs, eager, compiled)
    try:
        [again] = runs.run(jobs.compiled, True)
        reason = f"{again.type}: {again.message}" if isinstance(again, StageFailure) else ""
    except NoResult as error:
        reason = str(error)
    if reason:
        return _not_compared(f"the call draws random numbers, and compiling it again with eager's failed: {reason}")
    return _with_noise(runs, eager, again, ("with eager's random numbers, in a second compile",))


def _with_noise(
    runs: Forked | Copied,
    eager: Values,
    compiled: Values,
    how: tuple[str, ...] = (),
    number: int = 0,
    find_origin: bool = True,
) -> EagerComparison:
    """Compare; where values differ, with as much tolerance as other roundings make a difference in eager mode.

    ``number`` says which of the calls it is.
    """
    comparison = judged(eager, compiled, how)
    if comparison.status != "different":
        return comparison
    noise: Noise = {}
    try:
        repeated = runs.run(jobs.eager)
        if isinstance(again := repeated[min(number, len(repeated) - 1)], Values):
            changing = unsteady(eager, again)
            eager, compiled = without(changing, eager), without(changing, compiled)
            comparison = judged(eager, compiled, how)
            if comparison.status != "different":
                return comparison
        for seed in range(_ROUNDINGS):
            rounded = runs.run(jobs.rounded, seed)
            if all(isinstance(result, Values) for result in (*repeated[: number + 1], *rounded[: number + 1])):
                add_noise(noise, eager, repeated[number], rounded[number])
                comparison = judged(eager, compiled, how, noise)
            if comparison.status != "different":
                operation = grows_in(runs.run(jobs.operations, None), runs.run(jobs.operations, seed))
                return judged(eager, compiled, how, noise, operation)
    except NoResult:
        pass  # the difference stands
    return replace(comparison, origin=_origin(runs, eager, number, noise)) if find_origin else comparison


def _origin(runs: Forked | Copied, eager: Values, number: int, noise: Noise) -> Origin | None:
    """Return where a difference begins. ``None`` if no other compile shows it."""
    until = runs.settings.until

    def differs(results: list[Result]) -> bool:
        result = results[number] if len(results) > number else results[-1]
        return isinstance(result, Values) and judged(eager, result, (), noise).status == "different"

    try:
        if differs(runs.run(jobs.wrapped)):
            return Origin(backend="", stage=WRAPPER, step="", location=None)
        backends = {"dynamo": ["eager"], "aot": ["eager", "aot_eager"]}.get(until, list(BACKENDS))
        for backend in backends:
            if differs(runs.run(jobs.on_backend, backend, eager.random)):
                origin = Origin(backend=backend, stage=BACKENDS[backend], step="", location=None)
                return _with_line(runs, origin, lambda steps: _differs_with(runs, steps, eager.random, differs))
    except NoResult:
        pass  # the difference stands, from an unknown place
    return None


def _differs_with(
    runs: Forked | Copied, steps: Steps, eagers_numbers: bool, differs: Callable[[list[Result]], bool]
) -> tuple[bool, Steps]:
    results, done = runs.run(jobs.with_steps, steps, eagers_numbers)
    return differs(results), done


def _with_line(runs: Forked | Copied, origin: Origin, differs: Callable[[Steps], tuple[bool, Steps]]) -> Origin:
    """Return the origin with its line and its step, as far as they can be told."""
    if origin.backend not in STEPS:
        try:
            compiled = runs.run(jobs.lines_on_backend, origin.backend)
            place, same = first_line(runs.run(jobs.operations, None), compiled)
            is_gradient = place is None and same > 0
            return replace(origin, location=place, step=NOT_A_LINE if is_gradient else "")
        except NoResult:
            return origin
    for kind, name in STEPS[origin.backend].items():
        is_different, _ = differs(Steps(origin.backend, kind, 0))
        if not is_different:
            _, all_of_them = differs(Steps(origin.backend, kind, sys.maxsize))
            number = smallest(all_of_them.made, lambda most: differs(Steps(origin.backend, kind, most))[0])  # noqa: B023
            _, last = differs(Steps(origin.backend, kind, number))
            return replace(origin, step=f"{name} {last.name}", location=last.place)
    return origin

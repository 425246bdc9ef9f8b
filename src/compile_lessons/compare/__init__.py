"""Compare a compiled call with eager mode: ``capture(fn, compare=True)``.

Before the compiled call this process is forked. In the child the callable runs in eager mode, from the same start, and
sends back what it returned, its gradients, and what it changed in all that it can reach. Where nothing can be forked
(Windows, or after CUDA was initialized) the eager run is made on deep copies in this process.

Where results differ by more than a tolerance, more children tell why:

- A call that draws random numbers is compiled again with ``torch._inductor.config.fallback_random``, as compiled code
  otherwise draws other numbers than eager mode.
- Eager mode runs again with the result of each operation moved a little: that shows which results depend on rounding,
  for example where a sum cancels. Compiled results may be off as far.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack, closing
from dataclasses import replace
from typing import Any

from compile_lessons.compare.children import NoResult
from compile_lessons.compare.jobs import CompiledAgain, Eager, Result, Rounded, RoundedMore
from compile_lessons.compare.judge import judged, noise_of
from compile_lessons.compare.reach import Before
from compile_lessons.compare.start import Call, Copied, Forked, Job, Start, can_fork
from compile_lessons.compare.values import Values, values_of
from compile_lessons.pipeline.model import EagerComparison, Pipeline, StageFailure
from compile_lessons.pipeline.record import Recorded, record
from compile_lessons.pipeline.running import run
from compile_lessons.pipeline.session import Settings

#: How torch begins what it raises in a forked process where autograd had threads for a GPU.
_NO_FORK = "Unable to handle autograd's threading in combination with fork"


def captured_and_compared(
    fn: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any], settings: Settings
) -> Pipeline:
    """Return the pipeline of one compiled call, with its comparison."""
    call = fn, args, kwargs
    if settings.device is not None:
        reason = f"the code is for {settings.device.name}; the call itself runs in eager mode on the CPU"
        return _without(record(*call, settings).pipeline, reason)
    before, jobs = Before(*call), Jobs(settings)
    with ExitStack() as stack:
        try:
            start, eager = _start(stack, call, before, jobs)
        except NoResult as error:
            return _without(record(*call, settings).pipeline, f"the eager run: {error}")
        recorded = record(*call, settings)
        if isinstance(eager, StageFailure):
            return _with_failure(recorded.pipeline, eager)
        try:
            comparison = _comparison(start, jobs, eager, recorded, before)
        except Exception as error:  # of any type: what a call returns may have methods of its own
            return _without(recorded.pipeline, f"comparing raised {type(error).__name__}: {error}")
        return replace(recorded.pipeline, comparison=comparison)


def compared(fn: Callable[..., Any], other: Callable[..., Any], args: tuple[Any, ...]) -> EagerComparison:
    """Compare ``other``, another implementation of ``fn``, with ``fn`` in eager mode. Raise what ``other`` raises."""
    call: Call = fn, args, {}
    before, jobs = Before(*call), Jobs(Settings())
    with ExitStack() as stack:
        start, eager = _start(stack, call, before, jobs)
        if isinstance(eager, StageFailure):
            return EagerComparison(status="not compared", reason=f"the eager run raised {eager.type}", values=())
        values = values_of(run(other, args, {}, "auto"), before)
        comparison = judged(eager, values)
        return comparison if comparison.status != "different" else _with_noise(start, jobs, eager, values)


class Jobs:
    """The jobs of one call, in the order in which they can be needed."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.eager = Eager(settings)
        self.compiled_again = CompiledAgain(settings)
        self.eager_again = Eager(settings)
        self.rounded = [Rounded(settings, seed) for seed in range(2)]
        self.rounded_more = RoundedMore(settings, range(2, 8))

    def all(self) -> list[Job]:
        return [self.eager, self.compiled_again, self.eager_again, *self.rounded, self.rounded_more]


def _start(stack: ExitStack, call: Call, before: Before, jobs: Jobs) -> tuple[Start, Result]:
    """The start of all runs, and the eager run. Raises ``NoResult``."""
    if can_fork():
        forked = stack.enter_context(closing(Forked(call, before, jobs.all())))
        eager = forked.run(jobs.eager)
        if not (isinstance(eager, StageFailure) and eager.message.startswith(_NO_FORK)):
            return forked, eager
    copied = Copied(call)
    return copied, copied.run(jobs.eager)


def _without(pipeline: Pipeline, reason: str) -> Pipeline:
    return replace(pipeline, comparison=EagerComparison(status="not compared", reason=reason, values=()))


def _with_failure(pipeline: Pipeline, eager: StageFailure) -> Pipeline:
    """Where eager mode raised too. The same failure of the compiled call has the line that eager mode has."""
    what = eager.type, eager.message
    failures = [
        replace(failure, location=eager.location) if (failure.type, failure.message) == what else failure
        for failure in pipeline.failures
    ]
    return _without(replace(pipeline, failures=(eager, *failures)), f"the eager run raised {eager.type}")


def _comparison(start: Start, jobs: Jobs, eager: Values, recorded: Recorded, before: Before) -> EagerComparison:
    if recorded.run is None:
        return EagerComparison(status="not compared", reason="the compiled run raised", values=())
    comparison = _verdict(start, jobs, eager, values_of(recorded.run, before))
    crashes = [failure.stage for failure in recorded.pipeline.failures if failure.stage in ("aot", "inductor")]
    if comparison.status == "equal" and crashes:
        reason = f"{crashes[0]} failed, and what it did not compile ran in eager mode"
        return EagerComparison(status="not compared", reason=reason, values=())
    return comparison


def _verdict(start: Start, jobs: Jobs, eager: Values, compiled: Values) -> EagerComparison:
    """Compare, and where values differ look for a reason. Without one the difference stands."""
    how: tuple[str, ...] = ()
    comparison = judged(eager, compiled)
    if comparison.status == "different" and eager.random:
        again = _result(start, jobs.compiled_again)
        if isinstance(again, str):
            more = f"the call draws random numbers, and compiling it again with eager's failed: {again}"
            return replace(comparison, reason=f"{comparison.reason}; {more}")
        compiled, how = again, ("with eager's random numbers, in a second compile",)
        comparison = judged(eager, compiled, how)
    return comparison if comparison.status != "different" else _with_noise(start, jobs, eager, compiled, how)


def _with_noise(
    start: Start, jobs: Jobs, eager: Values, compiled: Values, how: tuple[str, ...] = ()
) -> EagerComparison:
    """Compare again, with as much tolerance as other roundings make a difference in eager mode.

    A few runs can miss a difference that rounding makes in some of them: the sign of an optimizer's first step, say.
    So what differs after them is compared once more, with more runs.
    """
    repeated = _result(start, jobs.eager_again)
    if isinstance(repeated, str):
        return judged(eager, compiled, how)
    rounded = [values for job in jobs.rounded if not isinstance(values := _result(start, job), str)]
    comparison = judged(eager, compiled, how, noise_of(eager, repeated, rounded))
    if comparison.status != "different":
        return comparison
    try:
        more = [values for values in start.run(jobs.rounded_more) if not isinstance(values, StageFailure)]
    except NoResult:
        return comparison
    return judged(eager, compiled, how, noise_of(eager, repeated, rounded + more))


def _result(start: Start, job: Job) -> Values | str:
    """The values of a run, or why there are none."""
    try:
        result = start.run(job)
    except NoResult as error:
        return str(error)
    return f"{result.type}: {result.message}" if isinstance(result, StageFailure) else result

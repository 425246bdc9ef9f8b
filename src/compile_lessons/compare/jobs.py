"""The runs that a comparison can need beside the compiled call. Each begins at a ``Start``."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

import torch
from torch._inductor import config as inductor_config

from compile_lessons.compare.rounding import Rounding
from compile_lessons.compare.start import Start
from compile_lessons.compare.values import Values, values_of
from compile_lessons.pipeline.failures import failure
from compile_lessons.pipeline.model import StageFailure
from compile_lessons.pipeline.running import Run, run
from compile_lessons.pipeline.session import session

Result = Values | StageFailure


def eager(start: Start) -> Result:
    """Run in eager mode, and note whether torch's generators were asked for a number."""
    before = _generators()
    values = _values(partial(run, *start.call, start.settings.backward), start, "eager")
    return values if isinstance(values, StageFailure) else replace(values, random=before != _generators())


def rounded(start: Start, seed: int) -> Result:
    """Run in eager mode with all numbers that the call begins with, and each result of an operation, moved a little."""

    def moved() -> Run:
        rounding = Rounding(seed)
        rounding.move(start.before.numbers.values())
        # Dynamo would skip what it meets within a dispatch mode: torch.cond compiles also in eager mode.
        with torch.compiler.set_stance("force_eager"), rounding:
            return run(*start.call, start.settings.backward)

    return _values(moved, start, "eager run with other roundings")


def compiled_again(start: Start) -> Result:
    """Compile once more, so that random numbers are drawn by eager mode's generator."""
    (fn, args, kwargs), settings = start.call, start.settings
    # The generator draws in the order of memory, which another layout would change.
    with session(settings) as watched, inductor_config.patch(fallback_random=True, layout_optimization=False):
        compiled = watched.compile(fn, watched.backend())
        values = _values(partial(run, compiled, args, kwargs, settings.backward), start, "compiled call")
    return next(iter(watched.crashes.values()), values)


def _values(make_run: Callable[[], Run], start: Start, stage: str) -> Result:
    """The values of a run, or what it raised."""
    try:
        return values_of(make_run(), start.before)
    except (Exception, SystemExit) as error:
        return failure(error, stage)


def _generators() -> list[list[int]]:
    """The states of torch's random generators."""
    on_gpus = torch.cuda.get_rng_state_all() if torch.cuda.is_initialized() else []
    return [state.tolist() for state in (torch.get_rng_state(), *on_gpus)]

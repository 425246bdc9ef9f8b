"""The runs that a comparison can need beside the compiled call. Each begins at a ``Start``."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import replace
from types import MappingProxyType
from typing import Any

import torch
from torch._inductor import config as inductor_config

from compile_lessons.compare.growth import Operation, Watch
from compile_lessons.compare.rounding import Rounding
from compile_lessons.compare.start import Start
from compile_lessons.compare.values import Values, values_of
from compile_lessons.facts import StageFailure
from compile_lessons.pipeline.failures import failure
from compile_lessons.pipeline.running import run
from compile_lessons.pipeline.session import session

Result = Values | StageFailure


def eager(start: Start) -> list[Result]:
    """Make the calls in eager mode."""
    return _results(start, start.fn, "eager")


def rounded(start: Start, seed: int) -> list[Result]:
    """Make the calls in eager mode with all numbers that they begin with, and each result of an operation, moved a
    little.
    """
    rounding = Rounding(seed)
    rounding.move(start.before.numbers.values())
    # Dynamo would skip what it meets within a dispatch mode: torch.cond compiles also in eager mode.
    with torch.compiler.set_stance("force_eager"), rounding:
        return _results(start, start.fn, "eager run with other roundings")


def operations(start: Start, seed: int | None) -> list[Operation]:
    """Make the calls in eager mode, with other roundings if there is a ``seed``, and return the operations."""
    watch = Watch()
    with torch.compiler.set_stance("force_eager"), ExitStack() as stack:
        if seed is not None:
            rounding = stack.enter_context(Rounding(seed))
            rounding.move(start.before.numbers.values())
        stack.enter_context(watch)
        _results(start, start.fn, "eager run with other roundings")
    return watch.operations


def compiled(start: Start, eagers_numbers: bool) -> list[Result]:
    """Compile, and make the calls. With ``eagers_numbers`` random numbers are drawn by eager mode's generator."""
    # The generator draws in the order of memory, which another layout would change.
    config = {"fallback_random": True, "layout_optimization": False} if eagers_numbers else {}
    with session(start.settings, use_caches=True) as watched, inductor_config.patch(config):
        return _results(start, watched.compile(start.fn, watched.backend()), "compiled call", watched.crashes)


def _results(
    start: Start, fn: Callable[..., Any], stage: str, crashes: Mapping[str, StageFailure] = MappingProxyType({})
) -> list[Result]:
    """What each call left, up to the first that raised an exception, or in which a stage of the compiler crashed."""
    results = list[Result]()
    for args, kwargs in start.calls:
        before = _generators()
        try:
            values = values_of(run(fn, args, kwargs, start.settings.backward), start.before)
            results.append(replace(values, random=before != _generators()))
        except (Exception, SystemExit) as error:
            return [*results, failure(error, stage)]
        if crashes:
            return [*results[:-1], next(iter(crashes.values()))]
    return results


def _generators() -> list[list[int]]:
    """The states of torch's random generators."""
    on_gpus = torch.cuda.get_rng_state_all() if torch.cuda.is_initialized() else []
    return [state.tolist() for state in (torch.get_rng_state(), *on_gpus)]

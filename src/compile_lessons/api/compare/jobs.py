"""The runs that a comparison can need beside the compiled call. Each begins at a ``Start``."""

from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import replace
from types import MappingProxyType
from typing import Any

import torch
from torch._inductor import config as inductor_config

from compile_lessons.api.compare.growth import Operation, OperationsWatch
from compile_lessons.api.compare.plain import uncompiled_program
from compile_lessons.api.compare.rounding import Rounding
from compile_lessons.api.compare.stages import GraphWatch, Steps, one_by_one
from compile_lessons.api.compare.start import NoResult, Start
from compile_lessons.api.compare.values import Values, values_of
from compile_lessons.facts import StageFailure
from compile_lessons.pipeline import backends
from compile_lessons.pipeline.compiled import without_compile
from compile_lessons.pipeline.failures import failure
from compile_lessons.pipeline.forward_backward import forward_backward
from compile_lessons.pipeline.session import session

Result = Values | StageFailure


def eager(start: Start) -> list[Result]:
    """Make the calls in eager mode, also of what the program compiles itself."""
    with uncompiled_program(start.before.roots):
        return _results(start, without_compile(start.fn), "eager")


def rounded(start: Start, seed: int) -> list[Result]:
    """Make the calls in eager mode with all numbers that they begin with, and each result of an operation, moved a
    little.
    """
    rounding = Rounding(seed)
    rounding.move(start.before.numbers.values())
    # Dynamo would skip what it meets within a dispatch mode: torch.cond compiles also in eager mode.
    with uncompiled_program(start.before.roots), torch.compiler.set_stance("force_eager"), rounding:
        return _results(start, without_compile(start.fn), "eager run with other roundings")


def operations(start: Start, seed: int | None) -> list[Operation]:
    """Make the calls in eager mode, with other roundings if there is a ``seed``, and return the operations."""
    watch = OperationsWatch()
    with uncompiled_program(start.before.roots), torch.compiler.set_stance("force_eager"), ExitStack() as stack:
        if seed is not None:
            rounding = stack.enter_context(Rounding(seed))
            rounding.move(start.before.numbers.values())
        stack.enter_context(watch)
        _results(start, without_compile(start.fn), "eager run with other roundings")
    return watch.operations


def compiled(start: Start, eagers_numbers: bool) -> list[Result]:
    """Compile, and make the calls. With ``eagers_numbers`` random numbers are drawn by eager mode's generator."""
    # The generator draws in the order of memory, which another layout would change.
    config = {"fallback_random": True, "layout_optimization": False} if eagers_numbers else {}
    with session(start.settings, use_caches=True) as watched, inductor_config.patch(config):
        results = _results(start, watched.compile(start.fn, watched.backend()), "compiled call", watched.crashes)
        if start.is_copy and start.settings.observe and not watched.dynamo.programs:
            raise NoResult("a copy of a module that .compile() compiled is not compiled")
        return results


def wrapped(start: Start) -> list[Result]:
    """Make the calls in eager mode, with the modules that ``torch.compile`` puts around the program's own."""
    with torch.compiler.set_stance("force_eager"):
        return _results(start, start.fn, "eager")


def on_backend(start: Start, name: str, eagers_numbers: bool) -> list[Result]:
    """Compile with one of torch's backends, and make the calls."""
    return _on(start, backends.lookup(name), eagers_numbers)


def lines_on_backend(start: Start, name: str) -> list[Operation]:
    """Compile as ``eager`` or ``aot_eager`` does, make the calls, and return the operations of the graphs."""
    watch = GraphWatch()
    _on(start, one_by_one(name, watch), False)
    return watch.operations


def with_steps(start: Start, steps: Steps, eagers_numbers: bool) -> tuple[list[Result], Steps]:
    """Compile with the first of the compiler's steps of one kind alone, and make the calls."""
    with steps.applied(), inductor_config.patch(force_disable_caches=True):
        return _on(start, backends.lookup(steps.backend), eagers_numbers), steps


def _on(start: Start, backend: backends.Backend, eagers_numbers: bool) -> list[Result]:
    config = {"fallback_random": True, "layout_optimization": False} if eagers_numbers else {}
    with session(start.settings) as watched, inductor_config.patch(config):
        return _results(start, watched.compile(start.fn, backend, replace_all=True), "compiled call")


def _results(
    start: Start, fn: Callable[..., Any], stage: str, crashes: Mapping[str, StageFailure] = MappingProxyType({})
) -> list[Result]:
    """What each call left, up to the first that raised an exception, or in which a stage of the compiler crashed."""
    results = list[Result]()
    start.before.begin()
    for steps, (args, kwargs) in zip(start.steps, start.calls, strict=True):
        before = _generators()
        try:
            for step in steps:
                step()
            done = forward_backward(fn, args, kwargs, start.settings.backward, start.settings.within)
            values = values_of(done, start.before)
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

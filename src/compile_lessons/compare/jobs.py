"""The runs that a comparison can need beside the compiled call."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import closing
from dataclasses import replace

import torch
from torch._inductor import config as inductor_config

from compile_lessons.compare.reach import Before
from compile_lessons.compare.rounding import Rounding
from compile_lessons.compare.start import Call, Copied, Forked, can_fork, cuda_states
from compile_lessons.compare.values import Values, values_of
from compile_lessons.pipeline.failures import failure
from compile_lessons.pipeline.model import StageFailure
from compile_lessons.pipeline.running import Run, run
from compile_lessons.pipeline.session import Settings, session

Result = Values | StageFailure


class Eager:
    """Run in eager mode, and note whether torch's generators were asked for a number."""

    def __init__(self, settings: Settings) -> None:
        self._backward = settings.backward

    def __call__(self, call: Call, before: Before) -> Result:
        states = _generators()
        values = _values(lambda: run(*call, self._backward), before, "eager")
        return values if isinstance(values, StageFailure) else replace(values, random=states != _generators())


class Rounded:
    """Run in eager mode with all numbers that the call begins with, and each result of an operation, moved a little."""

    def __init__(self, settings: Settings, seed: int) -> None:
        self._backward, self._seed = settings.backward, seed

    def __call__(self, call: Call, before: Before) -> Result:
        def moved() -> Run:
            rounding = Rounding(self._seed)
            rounding.move(list(before.with_numbers().values()))
            # Dynamo would skip what it meets within a dispatch mode: torch.cond compiles also in eager mode.
            with torch.compiler.set_stance("force_eager"), rounding:
                return run(*call, self._backward)

        return _values(moved, before, "eager run with other roundings")


class RoundedMore:
    """Run in eager mode with other roundings, once per seed, each time from the same start."""

    def __init__(self, settings: Settings, seeds: Iterable[int]) -> None:
        self._runs: list[Callable[[Call, Before], Result]] = [Rounded(settings, seed) for seed in seeds]

    def __call__(self, call: Call, before: Before) -> list[Result]:
        with closing(Forked(call, before, self._runs) if can_fork() else Copied(call)) as start:
            return [start.run(each) for each in self._runs]


class CompiledAgain:
    """Compile once more, so that random numbers are drawn by eager mode's generator."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings

    def __call__(self, call: Call, before: Before) -> Result:
        fn, args, kwargs = call
        # The generator draws in the order of memory, which another layout would change.
        with session(self._settings) as watched, inductor_config.patch(fallback_random=True, layout_optimization=False):
            compiled = watched.compile(fn, watched.backend())
            values = _values(lambda: run(compiled, args, kwargs, self._settings.backward), before, "compiled call")
        return next(iter(watched.crashes.values()), values)


def _values(made: Callable[[], Run], before: Before, stage: str) -> Result:
    """The values of a run, or what it raised."""
    try:
        return values_of(made(), before)
    except (Exception, SystemExit) as error:
        return failure(error, stage)


def _generators() -> list[list[int]]:
    """The states of torch's random generators."""
    return [state.tolist() for state in (torch.get_rng_state(), *cuda_states())]

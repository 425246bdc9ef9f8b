"""The runs that a comparison can need beside the compiled call."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import torch
from torch._inductor import config as inductor_config

from compile_lessons.compare.float64 import InFloat64
from compile_lessons.compare.reach import Before
from compile_lessons.compare.start import Call
from compile_lessons.compare.values import Values, values_of
from compile_lessons.pipeline.failures import failure
from compile_lessons.pipeline.model import Failure
from compile_lessons.pipeline.running import Run, run
from compile_lessons.pipeline.session import Settings, session


class Jobs:
    """The jobs of one call; each returns the values of its run, or what it raised."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings

    def eager(self, call: Call, before: Before) -> Values | Failure:
        """Run in eager mode, and note whether torch's generators were asked for a number."""
        states = _generators()
        values = self._values(lambda: run(*call, self.settings.backward), before, "eager")
        return values if isinstance(values, Failure) else replace(values, random=states != _generators())

    def in_float64(self, call: Call, before: Before) -> Values | Failure:
        """Run in eager mode with each operation computed in float64."""
        # Dynamo would skip what it meets within a dispatch mode: torch.cond compiles also in eager mode.
        with torch.compiler.set_stance("force_eager"), InFloat64():
            return self._values(lambda: run(*call, self.settings.backward), before, "float64")

    def with_eager_s_random_numbers(self, call: Call, before: Before) -> Values | Failure:
        """Compile once more, so that random numbers are drawn by eager mode's generator."""
        fn, args, kwargs = call
        settings = self.settings
        # The generator draws in the order of memory, which another layout would change.
        with session() as watched, inductor_config.patch(fallback_random=True, layout_optimization=False):
            compiled = watched.compile(fn, settings, watched.backend(settings))
            values = self._values(lambda: run(compiled, args, kwargs, settings.backward), before, "compiled call")
        return next(iter(watched.crashes.values()), values)

    def _values(self, made: Callable[[], Run], before: Before, stage: str) -> Values | Failure:
        try:
            return values_of(made(), before)
        except (Exception, SystemExit) as error:
            return failure(error, stage)


def _generators() -> list[list[int]]:
    """The states of torch's random generators."""
    devices = torch.cuda.get_rng_state_all() if torch.cuda.is_initialized() else []
    return [state.tolist() for state in (torch.get_rng_state(), *devices)]

"""Run a callable once, compiled and watched."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from compile_lessons.gpu import machine_code
from compile_lessons.gpu.devices import Device
from compile_lessons.pipeline import assemble, caches
from compile_lessons.pipeline.failures import failure
from compile_lessons.pipeline.model import Pipeline, StageFailure
from compile_lessons.pipeline.running import Run, run
from compile_lessons.pipeline.session import Session, Settings, session


@dataclass(frozen=True, kw_only=True)
class Recorded:
    """A pipeline, and what the compiled call returned; ``None`` if it raised."""

    pipeline: Pipeline
    run: Run | None


def record(fn: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any], settings: Settings) -> Recorded:
    """Run ``fn`` compiled, once, and return what happened."""
    failures: list[StageFailure] = []
    done = None
    with session(settings) as watched:
        compiled = watched.compile(fn, watched.backend())
        try:
            done = run(compiled, args, kwargs, settings.backward)
        except (Exception, SystemExit) as error:
            failures.append(watched.with_line(failure(error)))
        failures += watched.crashes.values()
        phases = caches.phases()
    if settings.device is not None and settings.machine_code:
        _to_machine_code(watched, settings.device, failures)
    return Recorded(pipeline=assemble.pipeline(fn, watched, failures, phases), run=done)


def _to_machine_code(watched: Session, device: Device, failures: list[StageFailure]) -> None:
    """Add the machine code of each graph's kernels; what Triton or ptxas refuses is a failure of its own."""
    for graphs in watched.inductor.graphs.values():
        for i, graph in enumerate(graphs):
            try:
                graphs[i] = replace(graph, gpu_kernels=machine_code.kernels(graph.output_code, device))
            except Exception as error:
                failures.append(failure(error, "machine code"))

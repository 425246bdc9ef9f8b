"""Run a callable once, compiled and watched, and return what happened as a ``Pipeline``."""

import importlib.metadata
import inspect
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import torch
import torch._dynamo.utils

from compile_lessons.facts import (
    Candidate,
    CompiledGraph,
    Device,
    Frame,
    Graph,
    Missing,
    Phase,
    Pipeline,
    Skip,
    TargetGpu,
)
from compile_lessons.facts.source import resumed
from compile_lessons.pipeline import aot, dynamo
from compile_lessons.pipeline.checks import name_of
from compile_lessons.pipeline.failures import failure
from compile_lessons.pipeline.forward_backward import CallResult, forward_backward
from compile_lessons.pipeline.lines import lines_of
from compile_lessons.pipeline.programs import circumstances
from compile_lessons.pipeline.session import CaptureSettings, Session, session
from compile_lessons.pipeline.state import current_stance


@dataclass(frozen=True, kw_only=True)
class WatchedCall:
    """A pipeline, and what the compiled call returned; ``None`` if it raised."""

    pipeline: Pipeline
    result: CallResult | None


def watch_call(
    fn: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any], settings: CaptureSettings
) -> WatchedCall:
    """Run ``fn`` compiled, once, and return what happened."""
    done = None
    with session(settings) as watched:
        compiled = watched.compile(fn, watched.backend())
        try:
            done = forward_backward(compiled, args, kwargs, settings.backward, settings.within)
        except (Exception, SystemExit) as error:
            watched.failures.append(watched.with_line(failure(error)))
        watched.failures += watched.crashes.values()
        phases = _phases()
    if settings.device is not None and settings.machine_code:
        _to_machine_code(watched, settings.device)
    return WatchedCall(pipeline=_pipeline(fn, watched, phases), result=done)


def _phases() -> tuple[Phase, ...]:
    """Return the phases that were recorded in this session, longest first: those of every ``dynamo_timed``."""
    times = torch._dynamo.utils.compilation_time_metrics.items()
    phases = [Phase(name=name, calls=len(seconds), seconds=sum(seconds)) for name, seconds in times]
    return tuple(sorted(phases, key=lambda phase: -phase.seconds))


def _to_machine_code(watched: Session, device: Device) -> None:
    """Add the machine code of each graph's kernels; what Triton or ptxas refuses is a failure of its own."""
    from compile_lessons.gpu import machine_code  # here, as it imports Inductor, which takes a second

    for graphs in watched.inductors_graphs.values():
        for i, graph in enumerate(graphs):
            try:
                graphs[i] = replace(graph, gpu_kernels=machine_code.gpu_kernels(graph.output_code, device))
            except Exception as error:
                watched.failures.append(failure(error, "machine code"))


def _pipeline(fn: Callable[..., Any], watched: Session, phases: tuple[Phase, ...]) -> Pipeline:
    device = watched.settings.device
    frames = tuple(_frame(name, notes, watched) for name, notes in watched.dynamo.frames.items())
    return Pipeline(
        function=name_of(fn),
        torch_version=str(torch.__version__),
        target=device.name if device else "cpu",
        frames=frames,
        skips=tuple(dict.fromkeys(watched.dynamo.skips)) or _no_frame(fn, watched),
        phases=phases,
        caches=tuple(watched.lookups),
        comparison=None,
        failures=tuple(watched.failures),
        lines=lines_of(frames),
        gpu=_gpu(device, watched) if device else None,
        circumstances=circumstances(watched.dynamo.programs) if watched.settings.observe else (),
    )


#: ``module.compile()`` compiles the frames of a call from ``module`` on, and Dynamo skips those of torch's own files.
_TORCHS_OWN = (
    "Dynamo skips torch's own code. A module whose forward is torch's, such as nn.Sequential of layers of torch.nn, is "
    "not compiled by module.compile(): use torch.compile(module)"
)


def _no_frame(fn: Any, watched: Session) -> tuple[Skip, ...]:
    """Where Dynamo was given no frame at all, the reason."""
    if watched.dynamo.frames or watched.failures:
        return ()
    stance = current_stance()
    if os.environ.get("TORCHDYNAMO_DISABLE") == "1":
        reason = "the environment variable TORCHDYNAMO_DISABLE turns Dynamo off: unset it"
    elif watched.settings.observe and watched.dynamo.skipped_torchs:
        reason = _TORCHS_OWN
    elif watched.settings.observe and not watched.dynamo.programs:
        reason = "the program compiles nothing in this call"
    elif stance != "default":
        reason = f"torch.compiler's stance is {stance!r}"
    else:
        reason = f"torch {torch.__version__} gives no reason why it was given no frame of this"
    code = getattr(inspect.unwrap(fn), "__code__", None)
    file, line = (code.co_filename, code.co_firstlineno) if code else ("", 0)
    return (Skip(function=name_of(fn), file=file, line=line, reason=reason),)


def _gpu(device: Device, watched: Session) -> TargetGpu:
    unmeasured = dict.fromkeys(watched.unmeasured)
    return TargetGpu(
        device=device,
        triton_version=importlib.metadata.version("triton"),
        notes=tuple(note for note in unmeasured if isinstance(note, str)),
        candidates=tuple(candidate for candidate in unmeasured if isinstance(candidate, Candidate)),
    )


def _frame(name: str, notes: dynamo.FrameNotes, watched: Session) -> Frame:
    code = notes.code
    return Frame(
        id=name,
        function=code.co_name,
        module=notes.module,
        file=code.co_filename,
        line=code.co_firstlineno,
        resume=resumed(code.co_name) is not None,
        original=dynamo.instructions(code),
        rewritten=notes.rewritten or (),
        guards=watched.guards.guards.get(name, ()),
        guard_tree=watched.guards.trees.get(name),
        breaks=tuple(notes.breaks.values()),
        graph=_graph(name, notes.graph, watched) if notes.graph else None,
        error=notes.error,
        seconds=notes.seconds,
    )


def _graph(name: str, graph: Graph, watched: Session) -> CompiledGraph:
    aten = watched.aot.graphs.get(name, {})
    lowered = tuple(watched.inductors_graphs.get(name, ()))
    forward, backward = aten.get("forward"), aten.get("backward")
    failed = _cause(name, watched)
    return CompiledGraph(
        dynamo=graph,
        joint=aten.get("joint"),
        forward=forward,
        backward=backward,
        saved=aot.saved(forward, backward) if forward and backward else (),
        recomputed=aot.recomputed(forward, backward) if forward and backward else (),
        inductor=lowered,
        missing=tuple(_missing(aten, [part.direction for part in lowered], watched.settings.until, failed)),
    )


def _cause(name: str, watched: Session) -> str:
    """What kept a graph from going further: what was raised for it, or else what ended the call."""
    others = [failure for failure in watched.failures if failure not in watched.crashes.values()]
    cause = watched.crashes.get(name) or (others[-1] if others else None)
    return f"{cause.type} in {cause.stage}: {cause.message.partition(chr(10))[0]}" if cause else ""


def _missing(aten: dict[str, Graph], lowered: list[str], until: str, failed: str) -> Iterator[Missing]:
    """Why each stage that is not there is not there."""
    stopped = "the capture stops after Dynamo" if until == "dynamo" else failed or "AOTAutograd was not reached"
    if "forward" not in aten:
        yield Missing(stage="forward", reason=stopped)
    if "joint" not in aten:
        reason = stopped if "forward" not in aten else "no input requires a gradient, or gradients are off"
        yield Missing(stage="joint", reason=reason)
        yield Missing(stage="backward", reason=reason)
    for graph in (aten[stage] for stage in ("forward", "backward") if stage in aten):
        if graph.kind not in lowered:
            empty = "the graph computes nothing, so Inductor has nothing to compile" if not graph.calls else ""
            late = "no backward pass ran" if graph.kind == "backward" else "Inductor was not reached"
            stop = "the capture stops after AOTAutograd" if until == "aot" else ""
            yield Missing(stage=f"inductor {graph.kind}", reason=stop or empty or failed or late)

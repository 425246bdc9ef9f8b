"""One watched compile: install the watches, run, put everything back, and assemble the ``Pipeline``."""

from __future__ import annotations

import copy
import importlib.metadata
import inspect
import logging
import os
import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from typing import Any

import torch
import torch._dynamo
from torch._inductor import config as inductor_config

from compile_lessons.gpu import cross, machine_code, pretend
from compile_lessons.gpu.devices import Device
from compile_lessons.gpu.model import Gpu
from compile_lessons.pipeline import aot, caches, compare, dynamo, guards, hooks, inductor, reach, state
from compile_lessons.pipeline.capture import name_of
from compile_lessons.pipeline.lines import lines_of
from compile_lessons.pipeline.model import (
    Comparison,
    CompiledGraph,
    Failure,
    Frame,
    Location,
    Missing,
    Phase,
    Pipeline,
    Skip,
)
from compile_lessons.pipeline.source import from_summary, from_traceback, is_user_file

#: From torch 2.13 on a compile can have versions and a recompile limit of its own, beside the user's.
_ISOLATED = {"isolate_recompiles": True} if "isolate_recompiles" in inspect.signature(torch.compile).parameters else {}


@dataclass(frozen=True)
class Settings:
    """The keywords of ``capture``; ``device`` is the GPU that code is written for, ``None`` for the CPU."""

    dynamic: bool | None = None
    backward: bool | str = "auto"
    mode: str | None = None
    options: dict[str, Any] | None = None
    fullgraph: bool = False
    device: Device | None = None
    compare: bool = False
    until: str = "inductor"


class Session:
    """The watches of all stages, installed until ``stack`` closes."""

    def __init__(self, stack: ExitStack, before: state.Before) -> None:
        self.dynamo = dynamo.Watch(stack, before)
        self.guards = guards.Watch()
        self.aot = aot.Watch(self.dynamo)
        self.inductor = inductor.Watch(self.dynamo)
        self.caches = caches.Watch()
        #: What Inductor raised, by compile id.
        self.crashes: dict[str, Failure] = {}
        #: Decisions that a GPU, were it there, would have measured.
        self.unmeasured: list[str] = []
        for watch in (self.dynamo, self.guards, self.aot, self.inductor, self.caches):
            hooks.install(stack, watch)

    def compile(self, fn: Callable[..., Any], settings: Settings, compiler: Callable[..., Any]) -> Callable[..., Any]:
        """``torch.compile`` with a backend of its own, so that compiled code of the user's is never taken for it."""
        with state.backend_not_kept(), state.attributes_not_left(fn):
            return torch.compile(
                fn,
                backend=self.dynamo.backend(compiler),
                dynamic=settings.dynamic,
                fullgraph=settings.fullgraph,
                mode=settings.mode,
                options=copy.copy(settings.options),  # torch.compile takes entries out of it
                **_ISOLATED,
            )

    def going_on(self, module: torch.fx.GraphModule, inputs: list[Any], **kwargs: Any) -> Callable[..., Any]:
        """Inductor. Where it fails the graph runs as Dynamo made it, so that what comes after is captured too."""
        try:
            return inductor_backend(module, inputs, **kwargs)
        except Exception as error:
            if not type(error).__module__.startswith("torch._inductor"):
                raise  # Dynamo knows what to do
            found = failure(error)
            self.crashes[dynamo.compile_id()] = replace(found, location=self.inductor.failed_at or found.location)
            return module.forward

    def compiler_for(self, device: Device, backward: bool) -> Callable[..., Any]:
        """A backend that has Inductor write code for a GPU that need not be there, and runs Dynamo's graph as it is."""

        def compiler(module: torch.fx.GraphModule, inputs: list[Any], **kwargs: Any) -> Callable[..., Any]:
            moved = cross.moved(module, device)
            self.dynamo.frames[dynamo.compile_id()].graph_id = id(moved.graph)
            with pretend.loading_with(pretend.load_nothing):
                cross.compile_moved(moved, device, _wrapper(kwargs).config, self.unmeasured.append, backward)
            return module.forward

        return compiler


def inductor_backend(module: torch.fx.GraphModule, inputs: list[Any], **kwargs: Any) -> Any:
    """What ``torch.compile(backend="inductor")`` calls; ``dynamic`` reached Dynamo already."""
    return _wrapper(kwargs)(module, inputs)


def backend_named(name: str) -> Callable[..., Any]:
    """A backend of ``torch.compile`` by its name."""
    return inductor_backend if name == "inductor" else torch._dynamo.lookup_backend(name)


def _wrapper(kwargs: dict[str, Any]) -> Any:
    return torch._TorchCompileInductorWrapper(kwargs.get("mode"), kwargs.get("options"), kwargs.get("dynamic"))


@contextmanager
def session() -> Iterator[Session]:
    """A session after which the process is as it was. Torch's log lines, whose facts it keeps, are not printed."""
    with ExitStack() as stack:
        if "TORCH_LOGS" not in os.environ:
            _silence(stack)
        yield Session(stack, stack.enter_context(state.untouched()))


def _silence(stack: ExitStack) -> None:
    for name in [name for name in logging.root.manager.loggerDict if name.partition(".")[0] == "torch"]:
        for handler in logging.getLogger(name).handlers:
            handler.addFilter(_below_warning)
            stack.callback(handler.removeFilter, _below_warning)


def _below_warning(line: logging.LogRecord) -> bool:
    return line.levelno < logging.WARNING


def record(fn: Callable[..., Any], args: tuple, kwargs: dict[str, Any], settings: Settings) -> Pipeline:
    """Run ``fn`` in eager mode on copies, then compiled, and return what happened."""
    failures: list[Failure] = []
    roots = reach.roots(fn, args, kwargs)
    start, reason = None, ""
    if settings.device is None and settings.compare:
        start, reason = _start(roots, args, kwargs)
    elif settings.compare:
        reason = f"the code is for {settings.device.name}; the call ran in eager mode on the CPU"
    expected = None
    if start is not None:
        expected, reason = _eager(fn, start, settings.backward, failures)
    with session() as watched:
        before = caches.times()
        compiler = watched.going_on
        if settings.device is not None:
            compiler = watched.compiler_for(settings.device, settings.backward is not False)
        elif settings.until == "dynamo":
            compiler = lambda module, inputs, **kwargs: module.forward  # noqa: E731
        compiled = watched.compile(fn, settings, compiler)
        found = None
        try:
            found = compare.run(compiled, args, kwargs, settings.backward, roots)
        except (Exception, SystemExit) as error:
            failures.append(_with_line(failure(error), failures, watched.inductor.failed_at))
        failures += watched.crashes.values()
        phases = caches.phases(before)
    if settings.device is not None:
        _to_machine_code(watched, settings.device, failures)
    comparison: Comparison | None = None
    if not settings.compare:
        pass
    elif expected is None or found is None:
        comparison = Comparison("not compared", reason or "the compiled run raised", ())
    elif watched.crashes:
        comparison = Comparison("not compared", "Inductor failed, and what it did not compile ran in eager mode", ())
    else:
        comparison = _comparison(Reference(fn, start, settings, expected), found, watched)
    return _pipeline(fn, settings, watched, comparison, failures, phases)


def _start(roots: dict[str, Any], args: tuple, kwargs: dict[str, Any]) -> tuple[compare.Start | None, str]:
    try:
        return compare.Start(roots, args, kwargs), ""
    except Exception as error:  # of any type: arguments have a __deepcopy__ of their own
        return None, f"the arguments can't be copied for the eager run: {error}"


def _eager(
    fn: Callable[..., Any], start: compare.Start, backward: Any, failures: list[Failure]
) -> tuple[compare.Outcome | None, str]:
    """The reference, or ``None`` and why there is none."""
    try:
        with start.again() as (args, kwargs):
            return compare.run(fn, args, kwargs, backward, start.roots), ""
    except (Exception, SystemExit) as error:
        failures.append(failure(error, "eager"))
        return None, f"the eager run raised {type(error).__name__}"


@dataclass(frozen=True)
class Reference:
    """The eager run, and what it takes to make another."""

    fn: Callable[..., Any]
    start: compare.Start
    settings: Settings
    outcome: compare.Outcome


def _comparison(reference: Reference, found: compare.Outcome, watched: Session, *how: str) -> Comparison:
    try:
        values, notes = compare.compared(reference.outcome, found)
        if not all(value.equal for value in values):
            if not how and any(notes.random for notes in watched.aot.graphs.values()):
                return _with_eager_s_random_numbers(reference)
            values, notes = compare.compared(reference.outcome, found, _noise(reference, watched))
            if all(value.equal for value in values):
                how += (f"as near as eager is to itself with other roundings, {compare.ROUNDINGS} runs",)
    except Exception as error:  # of any type: outputs have an __eq__ of their own
        return Comparison("not compared", f"comparing raised {type(error).__name__}: {error}", ())
    different = [value.path for value in values if not value.equal]
    if different:
        return Comparison("different", " ".join(("not within tolerance", *how)) + f": {', '.join(different)}", values)
    if not any(value.kind == "output" for value in values):
        return Comparison("not compared", "; ".join(notes) or "no value came out", values)
    return Comparison("equal", "; ".join((*how, *notes)), values)


def _noise(reference: Reference, watched: Session) -> compare.Noise:
    """How far rounding moves eager's own results; nothing where it raises on numbers that are rounded otherwise."""
    try:
        return compare.measure_noise(
            reference.fn,
            reference.start,
            reference.settings.backward,
            reference.outcome,
            _lowest_dtype(watched),
        )
    except Exception:  # of any type: it is the user's function, which may check its inputs
        return {}


def _lowest_dtype(watched: Session) -> torch.dtype | None:
    """The least precise dtype of floating point in the compiled graphs; autocast has them compute in one of its own."""
    notes = watched.aot.graphs.values()
    graphs = [graph for found in notes for graph in (found.forward, found.backward) if graph is not None]
    dtypes = {getattr(torch, tensor.dtype) for graph in graphs for node in graph.nodes for tensor in node.tensors}
    return max(dtypes & compare.TOLERANCES.keys(), key=compare.TOLERANCES.__getitem__, default=None)


def _with_eager_s_random_numbers(reference: Reference) -> Comparison:
    """Compare a second compile, in which Inductor leaves random numbers to eager's generator; it is not captured."""
    fn, settings = reference.fn, reference.settings
    try:
        # Eager's generator draws in the order of memory, which another layout would change.
        with session() as watched, inductor_config.patch(fallback_random=True, layout_optimization=False):
            compiled = watched.compile(fn, settings, inductor_backend)
            with reference.start.again() as (args, kwargs):
                found = compare.run(compiled, args, kwargs, settings.backward, reference.start.roots)
    except Exception as error:
        reason = f"the graph draws random numbers, and with eager's (fallback_random) it raised {type(error).__name__}"
        return Comparison("not compared", reason, ())
    return _comparison(reference, found, watched, "with eager's random numbers, in a second compile")


def _to_machine_code(watched: Session, device: Device, failures: list[Failure]) -> None:
    """Add the machine code of each graph's kernels; what Triton or ptxas refuses is a failure of its own."""
    for graphs in watched.inductor.graphs.values():
        for i, graph in enumerate(graphs):
            try:
                graphs[i] = replace(graph, gpu_kernels=machine_code.kernels(graph.output_code, device))
            except Exception as error:
                failures.append(failure(error, "machine code"))


def failure(error: BaseException, stage: str = "") -> Failure:
    """An exception as data."""
    return Failure(stage or _stage(error), type(error).__name__, _message(error), _location(error))


def _message(error: BaseException) -> str:
    """Without the stack and the advice that Dynamo adds below: the location tells the line."""
    message = re.split(r"\n\s*(?:from user code:|Set TORCHDYNAMO_VERBOSE=1)", str(error))[0].strip()
    if "InvalidCxxCompiler" in message:
        message += "\ninstall g++ or clang++, or name your compiler in the environment variable CXX"
    return message


def _location(error: BaseException) -> Location | None:
    """The user's line: as Dynamo traced it, or where the exception passed."""
    for raised in (error, error.__context__):  # torch 2.11 leaves the stack of an internal error with what it wraps
        traced = [frame for frame in from_summary(getattr(raised, "real_stack", None)) if is_user_file(frame.file)]
        if traced:
            return traced[-1]
    return from_traceback(error.__traceback__)


def _with_line(failure: Failure, before: list[Failure], lowered: Location | None) -> Failure:
    """The user's line as Inductor knows it, for its own failures, or as the same failure in eager mode does."""
    if failure.stage == "inductor" and lowered is not None:
        return replace(failure, location=lowered)
    for known in before:
        if (known.type, known.message) == (failure.type, failure.message):
            return replace(failure, location=known.location)
    return failure


def _stage(error: BaseException) -> str:
    """The stage that an exception belongs to, by the module of its class."""
    module = type(error).__module__
    if type(error).__name__ == "BackendCompilerFailed" or module.startswith("torch._inductor"):
        return "inductor"
    if module.startswith("torch._dynamo"):
        return "dynamo"
    return "compiled call"


def _pipeline(
    fn: Any,
    settings: Settings,
    watched: Session,
    comparison: Comparison | None,
    failures: list[Failure],
    phases: tuple[Phase, ...],
) -> Pipeline:
    frames = tuple(_frame(name, notes, watched, failures) for name, notes in watched.dynamo.frames.items())
    return Pipeline(
        name_of(fn),
        torch.__version__,
        settings.device.name if settings.device else "cpu",
        frames,
        tuple(dict.fromkeys(watched.dynamo.skips)) or _nothing(fn, watched, failures),
        phases,
        tuple(watched.caches.lookups),
        comparison,
        tuple(failures),
        lines_of(frames),
        _gpu(settings.device, watched),
    )


def _nothing(fn: Any, watched: Session, failures: list[Failure]) -> tuple[Skip, ...]:
    """Where Dynamo was given no frame at all, the reason."""
    if watched.dynamo.frames or failures:
        return ()
    stance = torch._dynamo.eval_frame._stance.stance
    if os.environ.get("TORCHDYNAMO_DISABLE") == "1":
        why = "the environment variable TORCHDYNAMO_DISABLE turns Dynamo off: unset it"
    elif stance != "default":
        why = f"torch.compiler's stance is {stance!r}"
    else:
        why = f"torch {torch.__version__} gives no reason why it was given no frame of this"
    code = getattr(inspect.unwrap(fn), "__code__", None)
    place = (code.co_filename, code.co_firstlineno) if code else ("", 0)
    return (Skip(name_of(fn), *place, why),)


def _gpu(device: Device | None, watched: Session) -> Gpu | None:
    if device is None:
        return None
    return Gpu(device, importlib.metadata.version("triton"), tuple(dict.fromkeys(watched.unmeasured)))


def _frame(name: str, notes: dynamo.FrameNotes, watched: Session, failures: list[Failure]) -> Frame:
    code = notes.code
    return Frame(
        name,
        code.co_name,
        code.co_filename,
        code.co_firstlineno,
        code.co_name.startswith(dynamo.RESUME),
        dynamo.instructions(code),
        notes.rewritten or (),
        watched.guards.guards.get(name, ()),
        watched.guards.trees.get(name),
        tuple(notes.breaks),
        _graph(name, notes, watched, failures) if notes.graph else None,
        notes.error,
        notes.seconds,
    )


def _graph(name: str, notes: dynamo.FrameNotes, watched: Session, failures: list[Failure]) -> CompiledGraph:
    found = watched.aot.graphs.get(name, aot.AotNotes())
    lowered = tuple(watched.inductor.graphs.get(name, ()))
    halves = found.forward and found.backward
    return CompiledGraph(
        notes.graph,
        found.joint,
        found.forward,
        found.backward,
        aot.saved(found.forward, found.backward) if halves else (),
        aot.recomputed(found.forward, found.backward) if halves else (),
        lowered,
        tuple(_missing(found, [part.direction for part in lowered], _why(name, watched, failures))),
    )


def _why(name: str, watched: Session, failures: list[Failure]) -> str:
    """What kept a graph from going further: what was raised for it, or else what ended the call."""
    others = [failure for failure in failures if failure not in watched.crashes.values()]
    found = watched.crashes.get(name) or (others[-1] if others else None)
    return f"{found.type} in {found.stage}: {found.message.partition(chr(10))[0]}" if found else ""


def _missing(found: aot.AotNotes, lowered: list[str], failed: str) -> Iterator[Missing]:
    """Why each stage that is not there is not there."""
    if found.forward is None:
        yield Missing("forward", failed or "AOTAutograd was not reached")
    if found.joint is None:
        reason = failed if found.forward is None else "no input requires a gradient, or gradients are off"
        yield Missing("joint", reason or "AOTAutograd was not reached")
        yield Missing("backward", reason or "AOTAutograd was not reached")
    for graph in (found.forward, found.backward):
        if graph is not None and graph.kind not in lowered:
            empty = "the graph computes nothing, so Inductor has nothing to compile" if not graph.calls else ""
            late = "no backward pass ran" if graph.kind == "backward" else "Inductor was not reached"
            yield Missing(f"inductor {graph.kind}", empty or failed or late)

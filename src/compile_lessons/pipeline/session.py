"""One watched compile: install the watches of all stages, and put everything back."""

from __future__ import annotations

import copy
import inspect
import logging
import os
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import torch
from torch._dynamo.exc import exceptions_allowed_to_be_fallback

from compile_lessons.facts import CacheLookup, Candidate, Device, InductorGraph, StageFailure
from compile_lessons.gpu import cross_compile, on_cpu, pretend
from compile_lessons.ground.patching import require
from compile_lessons.pipeline import aot, backends, dynamo, guards, hooks, state
from compile_lessons.pipeline.failures import failure

if TYPE_CHECKING:  # it imports Inductor, which takes a second, and a compile that stops after Dynamo needs none of it
    from compile_lessons.pipeline.inductor import InductorWatch

#: From torch 2.13 on a compile can have versions and a recompile limit of its own, beside the user's.
_ISOLATED = {"isolate_recompiles": True} if "isolate_recompiles" in inspect.signature(torch.compile).parameters else {}


@dataclass(frozen=True, kw_only=True)
class CaptureSettings:
    """The keywords of ``capture``; ``device`` is the GPU that code is written for, ``None`` for the CPU."""

    dynamic: bool | None = None
    backward: bool | str = "auto"
    mode: str | None = None
    options: dict[str, Any] | None = None
    fullgraph: bool = False
    device: Device | None = None
    until: str = "inductor"
    machine_code: bool = True
    #: Whether the callable is called as it is, and what the program itself compiles is watched.
    observe: bool = False
    #: The context in which the call is made, but not its backward pass.
    within: Callable[[], AbstractContextManager[Any]] = nullcontext
    look_up: bool = True


_DEFAULTS = CaptureSettings()


class Session:
    """The watches of all stages, installed until ``stack`` closes."""

    def __init__(self, settings: CaptureSettings, stack: ExitStack, before: state.SavedState, use_caches: bool) -> None:
        self.settings = settings
        self.dynamo = dynamo.DynamoWatch(stack, before)
        self.guards = guards.GuardsWatch()
        self.aot = aot.AotWatch(self.dynamo)
        #: What Inductor does; ``None`` where the compile stops before it.
        self.inductor: InductorWatch | None = None
        #: The answers of torch's caches.
        self.lookups: list[CacheLookup] = []
        #: What AOTAutograd or Inductor raised, by compile id.
        self.crashes: dict[str, StageFailure] = {}
        #: What the call, Triton and ptxas raised, and at the end also the crashes.
        self.failures: list[StageFailure] = []
        #: Decisions that a GPU, were it there, would have measured, and the candidates.
        self.unmeasured: list[str | Candidate] = []
        hooks.install(stack, self.dynamo)
        hooks.install(stack, self.guards)
        if settings.until != "dynamo":
            self._watch_inductor(stack, use_caches)

    def _watch_inductor(self, stack: ExitStack, use_caches: bool) -> None:
        """Install the watches of the stages after Dynamo, in modules that import Inductor."""
        from compile_lessons.pipeline.caches import CachesWatch, without_caches
        from compile_lessons.pipeline.inductor import InductorWatch

        self.inductor = InductorWatch(self.dynamo)
        hooks.install(stack, self.aot)
        hooks.install(stack, self.inductor)
        if not use_caches and self.settings.look_up:
            hooks.install(stack, CachesWatch(self.lookups))
        elif not use_caches:
            stack.enter_context(without_caches())

    @property
    def inductors_graphs(self) -> dict[str, list[InductorGraph]]:
        """Inductor's graphs by compile id."""
        return self.inductor.graphs if self.inductor else {}

    def compile(
        self, fn: Callable[..., Any], backend: backends.Backend, replace_all: bool = False
    ) -> Callable[..., Any]:
        """``torch.compile`` with a backend of its own, so that compiled code of the user's is never taken for it.

        To observe, return ``fn`` as it is: ``backend`` then compiles what the program compiles with Inductor, and with
        ``replace_all`` what it compiles with any backend.
        """
        self.dynamo.inductor = backend
        if self.settings.observe:
            self.dynamo.others = backend if replace_all else None
            if self.settings.until == "dynamo":
                self.dynamo.others = backends.eager
            return fn
        mode, dynamic = self.settings.mode, self.settings.dynamic
        options = copy.copy(self.settings.options)  # torch.compile takes entries out of it
        self.dynamo.watched = watched = self.dynamo.backend(backend)
        with state.nothing_kept(fn):
            compiled: Callable[..., Any] = torch.compile(  # type: ignore[call-overload]
                fn,
                backend=watched,
                dynamic=dynamic,
                fullgraph=self.settings.fullgraph,
                mode=mode,
                options=options,
                **_ISOLATED,
            )
        return compiled

    def backend(self) -> backends.Backend:
        """Return the backend that goes as far as the settings say."""
        if self.settings.device is not None:
            return self._backend_for(self.settings.device, self.settings.backward is not False)
        if self.settings.until == "dynamo":
            return backends.eager
        if self.settings.until == "aot":
            return self._going_on(backends.as_aten(self.aot.compile))
        return self._going_on(backends.inductor if self.settings.machine_code else backends.as_aten(_write_code))

    def _going_on(self, backend: backends.Backend) -> backends.Backend:
        """Where ``backend`` fails, the graph runs as Dynamo made it, so that what comes after is captured too."""

        def compiler(module: torch.fx.GraphModule, inputs: list[Any], **kwargs: Any) -> backends.Compiled:
            try:
                return backend(module, inputs, **kwargs)
            except Exception as error:
                module_of_error = type(error).__module__
                if isinstance(error, exceptions_allowed_to_be_fallback) or module_of_error.startswith("torch._dynamo"):
                    raise  # Dynamo knows what to do
                stage = "inductor" if module_of_error.startswith("torch._inductor") else "aot"
                self.crashes[dynamo.compile_id()] = self.with_line(failure(error, stage))
                return backends.forward_of(module)

        return compiler

    def with_line(self, failure: StageFailure) -> StageFailure:
        """Return a failure with the line of the node that was lowered, if it is Inductor's."""
        lowered = self.inductor.failed_at if self.inductor and failure.stage == "inductor" else None
        return replace(failure, location=lowered) if lowered else failure

    def _backend_for(self, device: Device, backward: bool) -> backends.Backend:
        """A backend that has Inductor write code for a GPU that need not be there, and runs Dynamo's graph as it is."""

        def compiler(module: torch.fx.GraphModule, inputs: list[Any], **kwargs: Any) -> backends.Compiled:
            moved = cross_compile.moved(module, self.unmeasured.append)
            self.dynamo.frames[dynamo.compile_id()].graph_id = id(moved.graph)
            with pretend.loading_with(pretend.load_nothing):
                cross_compile.compile_moved(moved, device, backends.options(kwargs), self.unmeasured.append, backward)
            return cross_compile.on_cpu(backends.forward_of(module))

        return compiler


def _write_code(as_it_is: backends.Backend, graph: torch.fx.GraphModule, inputs: Any, **kwargs: Any) -> Any:
    """Have Inductor write the code of an ATen graph, which is not compiled and does not run."""
    before = torch.fx.GraphModule(graph, copy.deepcopy(graph.graph))  # Inductor changes the graph
    with pretend.loading_with(pretend.load_nothing):
        require("torch._inductor.compile_fx:compile_fx_inner")(graph, inputs, **kwargs)
    return as_it_is(before, inputs)


@contextmanager
def session(settings: CaptureSettings = _DEFAULTS, use_caches: bool = False) -> Iterator[Session]:
    """A session after which the process is as it was. Torch's log lines, whose facts it keeps, are not printed.

    All stages run, unless torch's compile caches are used as they are in a program.
    """
    if settings.until != "dynamo":
        import compile_lessons.pipeline.inductor  # noqa: F401 (its loggers are to be there)
    with ExitStack() as stack:
        if "TORCH_LOGS" not in os.environ:
            _silence(stack)
        if settings.device is not None:
            stack.enter_context(on_cpu.cuda_on_cpu(settings.device))
        yield Session(settings, stack, stack.enter_context(state.untouched(settings.until != "dynamo")), use_caches)


def _silence(stack: ExitStack) -> None:
    for name in [name for name in logging.root.manager.loggerDict if name.partition(".")[0] == "torch"]:
        for handler in logging.getLogger(name).handlers:
            handler.addFilter(_below_warning)
            stack.callback(handler.removeFilter, _below_warning)


def _below_warning(line: logging.LogRecord) -> bool:
    return line.levelno < logging.WARNING

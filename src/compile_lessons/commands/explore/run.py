"""One run of ``explore``, in a process of its own: compile the text stage by stage, and send the panes of each."""

import os
import signal
import time
import traceback
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import torch
from torch.utils._pytree import tree_leaves, tree_map_only

from compile_lessons.api import capture
from compile_lessons.api.compare.reach import reached
from compile_lessons.api.own_call import compiled_with, reaches_compiled
from compile_lessons.commands import loading
from compile_lessons.commands.loading import ExplainError, Named
from compile_lessons.explorer import page
from compile_lessons.explorer.live.messages import Answer, CompileProblem, End, Names, Panes, RunText, Settings, Stage
from compile_lessons.facts import Assembly, Pipeline
from compile_lessons.gpu import GpuToolsMissing
from compile_lessons.gpu.tools import fix_without_gpu
from compile_lessons.ground.patching import UnsupportedTorch
from compile_lessons.ground.processes import fork
from compile_lessons.pipeline.assembly import linked_assembly
from compile_lessons.pipeline.checks import CaptureError
from compile_lessons.pipeline.programs import recording

#: The argument of ``capture`` for each choice of the switch.
_BACKWARD: dict[str, bool | str] = {"": "auto", "training": True, "inference": False}
#: A stage has said what went wrong, and the run ends.
_TOLD = 3
_exit_now = os._exit  # the reader's code may call it, and is watched


@dataclass(frozen=True)
class File:
    """The reader's file as it was typed, its path, and the arguments of the script."""

    typed: str
    path: Path
    arguments: list[str]


class _Failed(Exception):
    """The compile or the call failed, at a line if it is known."""

    def __init__(self, problem: CompileProblem) -> None:
        super().__init__(problem.message)
        self.problem = problem


def work(run: RunText, file: File, send: Callable[[Answer], None], watch: Callable[[], None]) -> None:
    """Send the panes of each stage, then how the run ended. ``watch`` is called in each process that runs the text."""
    began = time.monotonic()
    watch()
    loading.use_text(file.path, run.text)
    try:
        with loading.as_script(file.typed, file.arguments), loading.as_on(run.settings.target):
            target = _target(run, file, send)
            stages: list[Stage] = ["dynamo", "code"]
            if run.settings.machine:  # machine code is made where its panes are open
                stages.append("machine")
            *early, last = stages
            for stage in early:
                if not _in_a_fork(lambda stage=stage: _show(run, target, stage, began, send), run, file, send, watch):  # type: ignore[misc]
                    return
            _show(run, target, last, began, send)
    except (ExplainError, _Failed) as error:
        send(End(run=run.run, problem=_problem(error, file.path)))
    else:
        send(End(run=run.run))


def _in_a_fork(
    show: Callable[[], None], run: RunText, file: File, send: Callable[[Answer], None], watch: Callable[[], None]
) -> bool:
    """Show a stage from a fork, so that the next one begins where this one did. Return whether all went well.

    Where the fork is ended, this process ends in the same way.
    """
    pid = fork()
    if pid == 0:
        watch()
        try:
            show()
        except (ExplainError, _Failed) as error:
            send(End(run=run.run, problem=_problem(error, file.path)))
            _exit_now(_TOLD)
        _exit_now(0)
    code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    if code < 0:
        signal.signal(-code, signal.SIG_DFL)
        os.kill(os.getpid(), -code)
    if code not in (0, _TOLD):
        _exit_now(code)
    return code == 0


def _target(run: RunText, file: File, send: Callable[[Answer], None]) -> Named:
    """Run the file, send the names in it, and return what is explored."""
    target = Named(file.typed, "", file.path)
    tree = loading.check(target)
    names = loading.names_in(target, tree)
    chosen = run.settings.name or loading.main_name(target, tree)
    send(Names(run=run.run, names=names, chosen=chosen))
    target = replace(target, name=chosen)
    loading.check(target)
    return target


def _show(run: RunText, target: Named, stage: Stage, began: float, send: Callable[[Answer], None]) -> None:
    """Compile as far as a stage, and send the panes. Raises ``_Failed`` for what failed then."""
    pipeline = _pipeline(target, run.settings, stage)
    for failure in pipeline.failures:
        message = f"{failure.stage} failed: {failure.type}: {failure.message}"
        if run.settings.target == "cpu" and (fix := fix_without_gpu(failure.message)):
            message += f"\n{fix.replace('--target h200', 'the switch Target')}"
        own = failure.location is not None and failure.location.file == str(target.path)
        raise _Failed(CompileProblem(message, failure.location.line if own and failure.location else None))
    html = page(pipeline, _assemblies(pipeline) if stage == "machine" and run.settings.target == "cpu" else None)
    send(Panes(run=run.run, stage=stage, html=html, seconds=time.monotonic() - began))


def _pipeline(target: Named, settings: Settings, stage: Stage) -> Pipeline:
    try:
        fn = loading.to_explain(target)
        options: dict[str, Any] = {"dynamic": settings.dynamic == "True"} if settings.dynamic else {}
        options |= {"mode": settings.mode} if settings.mode else {}
        observe = bool(options) or reaches_compiled(fn)
        if options:
            fn = compiled_with(fn, target.name, options)
        maker = loading.named(settings.inputs, beside=target) if settings.inputs else None
        args, kwargs = _inputs(target, fn, maker)
        args, kwargs = _as_switched(fn, args, kwargs, settings)
        torch.compiler.reset()
        for_gpu = settings.target != "cpu"
        captured = capture(
            fn,
            backward=_BACKWARD[settings.training],
            target=settings.target if stage != "dynamo" else "cpu",
            until="dynamo" if stage == "dynamo" else "inductor",
            machine_code=stage == "machine" and for_gpu,
            look_up=False,
            observe=observe,
            within=torch.no_grad if settings.training == "inference" else nullcontext,
        )
        with recording():
            pipeline: Pipeline = captured(*args, **kwargs)
    except (CaptureError, GpuToolsMissing, UnsupportedTorch) as error:
        raise ExplainError(str(error)) from error
    if for_gpu and stage == "dynamo":  # Dynamo has seen the tensors on the GPU
        pipeline = replace(pipeline, target=settings.target)
    return pipeline


def _inputs(target: Named, fn: Any, maker: Named | None) -> tuple[tuple[Any, ...], dict[str, Any]]:
    try:
        return loading.inputs_of(target, fn, maker)
    except ExplainError as error:  # the page has a field for the option
        raise ExplainError(str(error).replace("with --inputs", "in the field Inputs")) from error.__cause__


def _assemblies(pipeline: Pipeline) -> dict[str, Assembly]:
    """Return the assembly of each C++ kernel by its source. Raises ``_Failed`` where there is no compiler."""
    try:
        return {kernel.source: linked_assembly(kernel) for kernel in pipeline.kernels if kernel.kind == "cpp"}
    except (RuntimeError, OSError) as error:
        raise _Failed(CompileProblem(f"machine code: {error}")) from error


def _as_switched(
    fn: Any, args: tuple[Any, ...], kwargs: dict[str, Any], settings: Settings
) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """Return the arguments with the dtype and the gradients that are chosen, and change the modules likewise."""
    modules = [value for value in reached({"": fn}).values() if isinstance(value, torch.nn.Module)]
    if settings.dtype:
        dtype = getattr(torch, settings.dtype)
        for module in modules:
            module.to(dtype)
        args, kwargs = tree_map_only(
            torch.Tensor, lambda it: it.to(dtype) if it.is_floating_point() else it, (args, kwargs)
        )
    if settings.training:
        for module in modules:
            module.train(settings.training == "training")
    if settings.training == "training":
        for leaf in tree_leaves((args, kwargs)):
            if isinstance(leaf, torch.Tensor) and leaf.is_floating_point() and leaf.is_leaf:
                leaf.requires_grad_()
    return args, kwargs


def _problem(error: ExplainError | _Failed, path: Path) -> CompileProblem:
    if isinstance(error, _Failed):
        return error.problem
    cause = error.__cause__
    if isinstance(cause, SyntaxError) and cause.filename == str(path):
        return CompileProblem(str(error), cause.lineno)
    frames = traceback.extract_tb(cause.__traceback__) if cause is not None else []
    lines = [frame.lineno for frame in frames if frame.filename == str(path)]
    return CompileProblem(str(error), lines[-1] if lines else None)

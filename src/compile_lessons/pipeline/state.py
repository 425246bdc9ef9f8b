"""Leave the process as it was: what a compile changes outside of its own results.

Relies on module variables of ``torch._dynamo`` (counters, metrics, profile of dynamic sizes, backends kept, names in
the user's modules, ``input_codes``, which are all functions that Dynamo was given) and of ``torch._inductor.metrics``,
and on ``reset_code``. Compiled objects (``.so``, ``.py``) stay in Inductor's cache folder: they are named by their
content and change nothing that a later compile decides.
"""

from __future__ import annotations

import copy
import inspect
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import CellType, CodeType, FrameType, FunctionType
from typing import Any

import torch
import torch._dynamo.convert_frame as convert_frame
import torch._dynamo.eval_frame as eval_frame
import torch._dynamo.pgo as pgo
import torch._dynamo.utils as utils
import torch._inductor.metrics as metrics
from torch._dynamo.types import ConvertFrameReturn, FrameAction, FrameExecStrategy

from compile_lessons.pipeline.locations import is_user_file


def versions(code: CodeType) -> int:
    """How many compiled versions of a function there are."""
    if hasattr(eval_frame, "_get_total_cache_entry_count"):  # torch 2.13: those of isolated compiles are counted apart
        return eval_frame._get_total_cache_entry_count(code)
    return len(eval_frame._debug_get_cache_entry_list(code))


class Before:
    """What the functions that Dynamo looks at had before: compiled versions, and names in their modules."""

    def __init__(self) -> None:
        #: How many compiled versions each function had.
        self.entries: dict[CodeType, int] = {}
        self._names: dict[int, tuple[dict[str, Any], set[str]]] = {}

    def note(self, code: CodeType, module: dict[str, Any]) -> None:
        """Note a function and the dictionary of its module, when they are looked at for the first time."""
        self.entries.setdefault(code, versions(code))
        self._names.setdefault(id(module), (module, set(module)))

    def restore(self) -> None:
        """Drop compiled versions, and the names that Dynamo made for them.

        Where the user's own compile made some, torch has no way to drop only the new ones: they stay and never run.
        Before torch 2.13 they count towards that function's recompile limit.
        """
        for code, before in self.entries.items():
            if not before:
                eval_frame.reset_code(code)
        if any(self.entries.values()):
            return  # what stays may need the names
        for module, names in self._names.values():
            _forget_names(module, names)


class _Stopped(BaseException):
    """Raised before a function's first line, so that none of it runs."""


def is_skipped(code: CodeType) -> bool:
    """Whether Dynamo leaves a function to Python without being asked again.

    Torch has no way to read that mark. So the code is called, with nothing for its arguments, and does not get as far
    as its first line: either Dynamo's callback is given it, and stops it, or Python's trace function does.
    """
    given = []

    def callback(frame: Any, *args: Any) -> Any:
        if frame.f_code is not code:
            return ConvertFrameReturn()
        given.append(code)
        raise _Stopped

    def trace(frame: FrameType, event: str, arg: Any) -> None:
        if frame.f_code is code:
            raise _Stopped

    function = FunctionType(code, {}, closure=tuple(CellType() for _ in code.co_freevars))
    keywords = code.co_varnames[code.co_argcount :][: code.co_kwonlyargcount]
    callback_before, trace_before = eval_frame.set_eval_frame(None), sys.gettrace()
    try:
        sys.settrace(trace)
        eval_frame.set_eval_frame(callback)
        function(*[None] * code.co_argcount, **dict.fromkeys(keywords))
    except _Stopped:
        pass
    finally:
        eval_frame.set_eval_frame(callback_before)
        sys.settrace(trace_before)
    return not given


def _mark(code: CodeType, action: FrameAction) -> None:
    eval_frame.set_code_exec_strategy(code, FrameExecStrategy(action, FrameAction.DEFAULT))


@contextmanager
def nothing_skipped() -> Iterator[None]:
    """Within it Dynamo looks also at what earlier compiles skipped; after it that is skipped as before.

    Those with compiled versions are left alone, as are generators, which Dynamo skips in any case.
    """
    seen = [code for reference in convert_frame.input_codes.seen if (code := reference()) is not None]
    own = [code for code in seen if is_user_file(code.co_filename) and not code.co_flags & _NO_FUNCTION]
    skipped = [code for code in own if not versions(code) and is_skipped(code)]
    for code in skipped:
        _mark(code, FrameAction.DEFAULT)
    try:
        yield
    finally:
        for code in skipped:
            _mark(code, FrameAction.SKIP)


_NO_FUNCTION = inspect.CO_GENERATOR | inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR


def _forget_names(module: dict[str, Any], before: set[str]) -> None:
    """Dynamo removes its names together with the code they are for, if that is ever freed.

    It keeps modules that it named, and the builtins of an attempt that it gave up.
    """
    for hooks in utils.CleanupManager.instance.values.values():
        for hook in [hook for hook in hooks if hook.scope is module and hook.name not in before]:
            hook()
            hooks.remove(hook)
    for name in set(module) - before:
        if name.startswith(("__import_", "__builtins_dict__")):
            del module[name]


@contextmanager
def untouched() -> Iterator[Before]:
    """Within it compiles begin with empty counters and without memory of sizes seen; after it all is as before."""
    saved_counters = {name: counter.copy() for name, counter in utils.counters.items()}
    saved_times = {name: list(seconds) for name, seconds in utils.compilation_time_metrics.items()}
    saved_metrics = list(utils._compilation_metrics)
    saved_reasons = list(utils.graph_break_reasons)
    saved_profile = pgo._CODE_STATE, pgo._INIT_CODE_STATE
    saved_frames = convert_frame.FRAME_COUNTER, copy.copy(convert_frame.FRAME_COMPILE_COUNTER)
    saved_counts = {name: value for name, value in vars(metrics).items() if type(value) is int}
    saved_lists = {name: list(value) for name, value in vars(metrics).items() if type(value) is list}
    utils.counters.clear()
    pgo._CODE_STATE = pgo._INIT_CODE_STATE = None
    convert_frame.FRAME_COUNTER = 0
    convert_frame.FRAME_COMPILE_COUNTER.clear()
    before = Before()
    try:
        with nothing_skipped():
            try:
                yield before
            finally:
                before.restore()
    finally:
        _refill(utils.counters, saved_counters)
        _refill(utils.compilation_time_metrics, saved_times)
        utils._compilation_metrics.clear()
        utils._compilation_metrics.extend(saved_metrics)
        utils.graph_break_reasons[:] = saved_reasons
        pgo._CODE_STATE, pgo._INIT_CODE_STATE = saved_profile
        convert_frame.FRAME_COUNTER = saved_frames[0]
        _refill(convert_frame.FRAME_COMPILE_COUNTER, saved_frames[1])
        vars(metrics).update(saved_counts)
        for name, items in saved_lists.items():
            vars(metrics)[name][:] = items


@contextmanager
def backend_not_kept() -> Iterator[None]:
    """``torch.compile`` keeps each backend until ``torch._dynamo.reset``; those given within are not kept."""
    known = set(eval_frame.cached_backends)
    yield
    for new in set(eval_frame.cached_backends) - known:
        del eval_frame.cached_backends[new]


@contextmanager
def attributes_not_left(fn: Any) -> Iterator[None]:
    """``torch.compile`` of a module marks what it returns, which writes the mark through to the module."""
    attributes = vars(fn) if isinstance(fn, torch.nn.Module) else {}
    known = set(attributes)
    yield
    for new in attributes.keys() - known:
        del attributes[new]


def _refill(target: dict, saved: dict) -> None:
    target.clear()
    target.update(saved)

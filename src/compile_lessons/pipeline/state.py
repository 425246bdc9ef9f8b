"""Leave the process as it was: what a compile changes outside of its own results.

Relies on module variables of ``torch._dynamo`` (counters, metrics, profile of dynamic sizes, backends kept, names in
the user's modules, ``input_codes``, which are all functions that Dynamo was given), on its ``TensorifyState``, on
module variables of ``torch._inductor.metrics`` and on ``reset_code``. Compiled objects (``.so``, ``.py``) stay in
Inductor's cache folder: they are named by their content and change nothing that a later compile decides.
"""

import copy
import inspect
from collections.abc import Iterator
from contextlib import contextmanager
from types import CodeType
from typing import Any
from unittest.mock import patch

import torch
import torch._dynamo.convert_frame as convert_frame
import torch._dynamo.eval_frame as eval_frame
import torch._dynamo.utils as utils
from torch._C._dynamo.eval_frame import _FrameAction as FrameAction
from torch._C._dynamo.eval_frame import _FrameExecStrategy as FrameExecStrategy
from torch._C._dynamo.eval_frame import reset_code, set_code_exec_strategy

from compile_lessons.ground.patching import replaced
from compile_lessons.pipeline.locations import is_outside_torch


def compiled_versions(code: CodeType) -> int:
    """How many compiled versions of a function there are."""
    if hasattr(eval_frame, "_get_total_cache_entry_count"):  # torch 2.13: those of isolated compiles are counted apart
        return eval_frame._get_total_cache_entry_count(code)
    return len(eval_frame._debug_get_cache_entry_list(code))


def current_stance() -> str:
    """Return the stance that ``torch.compiler.set_stance`` has set, or ``default``."""
    return eval_frame._stance.stance


class SavedState:
    """What the functions that Dynamo looks at had before: compiled versions, and names in their modules."""

    def __init__(self) -> None:
        #: How many compiled versions each function had.
        self.entries: dict[CodeType, int] = {}
        self._names: dict[int, tuple[dict[str, Any], set[str]]] = {}

    def note(self, code: CodeType, module: dict[str, Any]) -> None:
        """Note a function and the dictionary of its module, when they are looked at for the first time."""
        self.entries.setdefault(code, compiled_versions(code))
        self._names.setdefault(id(module), (module, set(module)))

    def restore(self) -> None:
        """Drop compiled versions, and the names that Dynamo made for them.

        Where the user's own compile made some, torch has no way to drop only the new ones: they stay and never run.
        Before torch 2.13 they count towards that function's recompile limit.
        """
        for code, before in self.entries.items():
            if not before:
                reset_code(code)
        if any(self.entries.values()):
            return  # what stays may need the names
        for module, names in self._names.values():
            _forget_names(module, names)


def look_again() -> None:
    """Have Dynamo look again at the user's functions that it has skipped, so that a capture sees why.

    Torch has no way to read the mark of a skipped function. So each function without a compiled version loses its
    mark, and does not get it back: the user's own compiled code makes Dynamo look once more, and skip it as before.
    """
    default = FrameExecStrategy(FrameAction.DEFAULT, FrameAction.DEFAULT)
    for reference in convert_frame.input_codes.seen:
        code = reference()
        if code is None or not is_outside_torch(code.co_filename) or code.co_flags & _NO_FUNCTION:
            continue
        if not compiled_versions(code):
            set_code_exec_strategy(code, default)


def never_look(code: CodeType) -> None:
    """Have Dynamo skip a function of this package, and what it calls, where it runs amid compiled code."""
    set_code_exec_strategy(code, FrameExecStrategy(FrameAction.SKIP, FrameAction.SKIP))


#: Dynamo skips these in any case.
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
def untouched(inductor: bool = True) -> Iterator[SavedState]:
    """Within it compiles begin with empty counters and without memory of sizes seen; after it all is as before.

    Inductor's counters are left alone where it compiles nothing.
    """
    before = SavedState()
    variables = (_inductors_counts() if inductor else {}) | {
        "torch._dynamo.pgo:_CODE_STATE": None,
        "torch._dynamo.pgo:_INIT_CODE_STATE": None,
        "torch._dynamo.convert_frame:FRAME_COUNTER": 0,
        # floats that became constants, by a name that another function's argument can have too
        "torch._dynamo.symbolic_convert:TensorifyState.force_specializations": set(),
        "torch._dynamo.utils:_compilation_metrics": copy.copy(utils._compilation_metrics),
    }
    with (
        replaced(variables),
        patch.dict(utils.counters, clear=True),
        patch.dict(utils.compilation_time_metrics, clear=True),
        patch.dict(convert_frame.FRAME_COMPILE_COUNTER, clear=True),
    ):
        reasons = len(utils.graph_break_reasons)  # torch imports this list by name, and so the dicts above
        look_again()
        try:
            yield before
        finally:
            before.restore()
            del utils.graph_break_reasons[reasons:]


def _inductors_counts() -> dict[str, Any]:
    import torch._inductor.metrics as metrics  # here, as importing Inductor takes a second

    counts = {name: copy.copy(value) for name, value in vars(metrics).items() if type(value) in (int, list)}
    return {f"torch._inductor.metrics:{name}": value for name, value in counts.items()}


@contextmanager
def nothing_kept(fn: Any) -> Iterator[None]:
    """Undo what ``torch.compile(fn)`` keeps: its backend, and a mark on what it returns.

    For a module, the mark is written through to the module.
    """
    places: list[dict[Any, Any]] = [eval_frame.cached_backends, vars(fn) if isinstance(fn, torch.nn.Module) else {}]
    before = [set(place) for place in places]
    yield
    for place, names in zip(places, before, strict=True):
        for new in place.keys() - names:
            del place[new]

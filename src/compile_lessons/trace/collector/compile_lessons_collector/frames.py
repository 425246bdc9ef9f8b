"""Each frame that Dynamo looks at: how it ended, why, and what its graph repeats."""

import collections
import inspect
import math
import re
import sys
import threading
import time

from . import calls
from .calls import config, state_of_thread
from .files import LONGEST, guarded, write
from .memory import float32_precision, memory
from .stacks import is_user_file, user_stack

_REPEATED = 24  # lines that are in a graph several times, those with the most operations first
#: A frame of the stack of an operation in a graph.
_STACK = re.compile(r'^  File "(.+)", line (\d+), in (.+)$', re.MULTILINE)

_counts = None  # of compiles, by the frame's number; not in each torch


def watch_frames(original):
    """Note each frame that Dynamo looks at."""
    clock = time.perf_counter

    def __call__(self, frame, cache_entry, frame_state, *args, **kwargs):
        state = state_of_thread()
        key, state.key, state.reason, state.repeated = state.key, None, None, None
        state.waiting = False  # a later lookup of this call has this compile before it
        if key is not None:  # this lookup ends in a compile, so it is no call that stays in eager mode
            state.misses -= 1
            state.missed[key] -= 1
        caller = sys._getframe(1)
        number = _compiles_of(frame_state)
        before = {} if state.converting else guarded(memory) or {}
        if not state.converting and state.changed:  # so that the call that compiles is told from those before it
            guarded(calls.write_calls, state)
        began, state.converting = clock(), state.converting + 1
        result = None
        try:
            result = original(self, frame, cache_entry, frame_state, *args, **kwargs)
            return result
        finally:
            elapsed = clock() - began
            state.converting -= 1
            if not state.converting:
                state.compiling += elapsed
            error = sys.exc_info()[1] if result is None else None
            guarded(_add_convert, state, frame, frame_state, result, error, elapsed, key, caller, number, before)

    return __call__


def watch_numbers(counts):
    """Keep how many compiles of each frame have begun."""
    global _counts
    _counts = counts
    return counts


def _compiles_of(frame_state):
    return None if _counts is None else _counts.get(frame_state.get("_id"), 0)


def _add_convert(state, frame, frame_state, result, error, elapsed, key, caller, number, before):
    if calls.window is not None:
        calls.window.compiled()
    code = frame.f_code
    outcome, reason = "failed", None
    if result is not None:
        reason = getattr(result, "skip_reason", None)
        outcome = "compiled" if getattr(result, "guarded_code", None) is not None else "skipped"
        strategy = getattr(result, "frame_exec_strategy", None)
        if outcome == "skipped" and "RUN_ONLY" in str(getattr(strategy, "cur_action", "")):
            outcome = "limit"
    elif error is not None:
        reason = f"{type(error).__name__}: {error}"
    if outcome == "limit":
        state.misses += 1  # this call runs in eager mode too
    place = [code.co_filename, code.co_firstlineno, code.co_name]
    if outcome == "skipped" and calls.regions.get(state.region, {}).get("code") == place:
        calls.unguarded.add(state.region)
    if outcome == "skipped" and not is_user_file(code.co_filename):
        return
    frame_id = frame_state.get("_id")
    begun = number is not None and number != _compiles_of(frame_state)
    totals = state.totals.get(state.region)
    watched = {}
    if outcome != "skipped":
        watched["mode"] = _mode()
        watched["limits"] = [config("recompile_limit"), config("accumulated_recompile_limit")]
    if outcome == "compiled":
        after = memory()
        watched |= {name: {"before": value, "after": after[name]} for name, value in before.items() if name in after}
        watched |= float32_precision()
    calls.note_compile()
    write(
        "convert",
        who=state.number,
        key=key,
        repeated=state.repeated,
        compile={
            "id": f"{frame_id}/{number}" if begun else "",
            "frame": frame_id,
            "number": number if begun else 0,
            "code": place,
            "name": code.co_qualname,
            "outcome": outcome,
            "start": time.time() - elapsed,
            "seconds": elapsed,
            "nested": state.converting > 0,
            "reason": reason and reason[: 10 * LONGEST],
            "region": state.region,
            "call": (totals[0] if totals else 0) + 1 if state.region else None,
            "thread": threading.current_thread().name,
            "main_thread": state.main,
            "stack": user_stack(caller),
            "guards": state.reason or [],
            "generator": bool(code.co_flags & inspect.CO_GENERATOR),
            **watched,
        },
    )


def _mode():
    import torch

    if torch.is_inference_mode_enabled():
        return "inference_mode"
    return "grad" if torch.is_grad_enabled() else "no_grad"


def watch_graphs(original):
    """Note the lines that are in a graph many times."""

    def call_user_compiler(self, gm, *args, **kwargs):
        guarded(_note_repeated, gm)
        return original(self, gm, *args, **kwargs)

    return call_user_compiler


def _note_repeated(graph_module):
    """Note each line that led to several copies of the same operations, also as the caller of what has them.

    Steps of a loop have the same stack. So a line has as many copies as what is below it has in common. Layers have the
    same stack too, and are different modules.
    """
    modules = collections.defaultdict(list)
    for node in graph_module.graph.nodes:
        if node.op.startswith("call_"):
            modules[node.stack_trace, node.target].append(_innermost_module(node))
    lines = {}
    for (stack, _), same in modules.items():
        count = len(same)
        for file, line, function in set(_STACK.findall(stack or "")):
            copies, operations, steps = lines.get((file, line, function), (0, 0, 0))
            steps = math.gcd(steps, count // len(set(same)))
            lines[file, line, function] = math.gcd(copies, count), operations + count, steps
    several = [(line, numbers) for line, numbers in lines.items() if numbers[0] > 1 and is_user_file(line[0])]
    several.sort(key=lambda pair: -pair[1][1])
    state_of_thread().repeated = [
        {"line": [file, int(line), function], "copies": copies, "operations": operations, "steps": steps}
        for (file, line, function), (copies, operations, steps) in several[:_REPEATED]
    ]


def _innermost_module(node):
    """Return torch's key of the module that an operation is in, without the number of the module's call."""
    return next(reversed(node.meta.get("nn_module_stack") or ("",))).partition("@")[0]

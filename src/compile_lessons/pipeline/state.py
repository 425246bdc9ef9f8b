"""Leave the process as it was: what a compile changes outside of its own results.

Relies on module variables of ``torch._dynamo`` (counters, metrics, profile of dynamic sizes) and on ``reset_code``.
Compiled objects (``.so``, ``.py``) stay in Inductor's cache folder: they are named by their content and change nothing
that a later compile decides.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator
from contextlib import contextmanager
from types import CodeType

import torch._dynamo.convert_frame as convert_frame
import torch._dynamo.pgo as pgo
import torch._dynamo.utils as utils
from torch._dynamo.eval_frame import reset_code


@contextmanager
def untouched(entries: dict[CodeType, int]) -> Iterator[None]:
    """Within it compiles begin with empty counters and without memory of sizes seen; after it all is as before.

    ``entries``, filled within, is how many compiled versions each function had before. Where it had none, all are
    dropped at the end. Where the user's own compile made some, torch has no way to drop only the new ones: they stay,
    never run (their backend is another), and count towards that function's recompile limit.
    """
    saved_counters = {name: counter.copy() for name, counter in utils.counters.items()}
    saved_times = {name: list(seconds) for name, seconds in utils.compilation_time_metrics.items()}
    saved_metrics = list(utils._compilation_metrics)
    saved_reasons = list(utils.graph_break_reasons)
    saved_profile = pgo._CODE_STATE, pgo._INIT_CODE_STATE
    saved_frames = convert_frame.FRAME_COUNTER, copy.copy(convert_frame.FRAME_COMPILE_COUNTER)
    utils.counters.clear()
    pgo._CODE_STATE = pgo._INIT_CODE_STATE = None
    convert_frame.FRAME_COUNTER = 0
    convert_frame.FRAME_COMPILE_COUNTER.clear()
    try:
        yield
    finally:
        _refill(utils.counters, saved_counters)
        _refill(utils.compilation_time_metrics, saved_times)
        utils._compilation_metrics.clear()
        utils._compilation_metrics.extend(saved_metrics)
        utils.graph_break_reasons[:] = saved_reasons
        pgo._CODE_STATE, pgo._INIT_CODE_STATE = saved_profile
        convert_frame.FRAME_COUNTER = saved_frames[0]
        _refill(convert_frame.FRAME_COMPILE_COUNTER, saved_frames[1])
        for code, before in entries.items():
            if not before:
                reset_code(code)


def _refill(target: dict, saved: dict) -> None:
    target.clear()
    target.update(saved)

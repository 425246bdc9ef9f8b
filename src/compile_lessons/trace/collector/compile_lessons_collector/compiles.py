"""Compiles outside of Dynamo: backward graphs at their first run, and CUDA graphs. Backward passes that raise."""

import functools
import logging
import sys
import time

from . import calls, raised, stacks
from .calls import state_of_thread
from .files import LONGEST, guarded, write
from .stacks import user_stack

#: What Inductor says about CUDA graphs, ``torch._logging.getArtifactLogger(…, "cudagraphs")``, and what export says
#: about sizes.
LOGS = ("torch._inductor.cudagraph_utils.__cudagraphs", "torch._export.non_strict_utils")

register_again = None  # the callbacks, after torch._dynamo.reset()
note_gradients = None  # of --compare


def watch_compiles(handler):
    """Note each compile outside of Dynamo, with what is recorded as a CUDA graph."""
    began = {}
    details = {}

    def on_start(args):
        trigger = args.callback_trigger.name
        began[trigger] = time.time()
        details[trigger] = guarded(_recording, sys._getframe(1)) if trigger == "CUDAGRAPH_RECORDING" else None

    def on_end(args):
        trigger = args.callback_trigger.name
        start = began.pop(trigger, None)
        if start is not None and trigger != "DYNAMO":
            guarded(add_interval, trigger, str(args.compile_id), start, details[trigger] or {})

    def register():
        handler.register_start_callback(on_start)
        handler.register_end_callback(on_end)

    global register_again
    register_again = register
    register()
    return handler


def watch_resets(original):
    """Note each call that drops all compiled code, and with it the callbacks of ``watch_compiles``."""

    def reset():
        original()
        guarded(register_again)
        guarded(_add_reset, sys._getframe(1))

    return reset


def _add_reset(caller):
    write("reset", stack=user_stack(caller))


def _recording(frame):
    """Return what ``CUDAGraphTreeManager._run`` knows of the CUDA graph that it is about to record."""
    while frame is not None and not frame.f_code.co_filename.endswith("cudagraph_trees.py"):
        frame = frame.f_back
    while frame is not None and frame.f_code.co_name != "_run":
        frame = frame.f_back
    if frame is None:
        return {}
    values = frame.f_locals
    function = values["function_id"]
    details = {
        "mode": values["self"].id_to_mode[function].name,
        "sizes": [value for value in values["new_inputs"] if isinstance(value, int)],
        "again": len(values["child_nodes"][function]),
    }
    if details["again"]:
        details["reason"] = values["status_logger"]()[: 4 * LONGEST]
    return details


def add_interval(trigger, compile_id, start, details):
    calls.note_compile()
    if calls.window is not None:
        calls.window.compiled()
    state = state_of_thread()
    elapsed = time.time() - start
    if state.depth:
        state.compiling += elapsed
    write(
        "interval",
        trigger=trigger,
        compile=compile_id,
        start=start,
        seconds=elapsed,
        stack=user_stack(sys._getframe(1)),
        **details,
    )


def watch_backward(original):
    """Note the first backward pass, and an exception that leaves one; inside of a compiled call, its end notes that."""
    trains = False

    def _engine_run_backward(*args, **kwargs):
        nonlocal trains
        if not trains:
            trains = True
            guarded(write, "trains")
        try:
            result = original(*args, **kwargs)
        except Exception as error:
            state = state_of_thread()
            if not state.depth:
                guarded(raised.note, error, calls.who_calls(state, "backward"), sys._getframe(1))
            raise
        if note_gradients is not None:
            guarded(note_gradients, result)
        return result

    return _engine_run_backward


def watch_log():
    """Write down what these loggers say, at whatever level the program has set."""

    class Handler(logging.Handler):
        def emit(self, record):
            guarded(_add_log, record)

    for name in LOGS:
        logging.getLogger(name).addHandler(Handler(logging.WARNING))


def _add_log(record):
    write("log", text=record.getMessage()[:LONGEST], stack=user_stack(sys._getframe(1)))


def watch_warnings(original):
    """Write down the warnings of torch's that Python shows."""

    @functools.wraps(original)
    def show(message):
        if message.filename.startswith(stacks.torch_folder):
            guarded(_add_warning, message, sys._getframe(1))
        original(message)

    return show


def _add_warning(message, frame):
    write("log", text=str(message.message)[:LONGEST], warning=True, stack=user_stack(frame))


#: What shows a warning, unless the program has put its own function there.
HOOKS = {"warnings:_showwarnmsg_impl": watch_warnings}

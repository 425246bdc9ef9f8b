"""Write down what torch.compile does in the user's program, as JSON lines, while the program runs.

This package runs inside the user's process. It uses the standard library alone, judges nothing, and never lets an
error of its own reach the program: an error becomes a record. ``compile_lessons.trace.records`` has the types of the
records.

The private names of torch that it relies on are in ``HOOKS``. Where a torch lacks one, the record ``torch`` names it,
and everything else goes on. The records:

========  ============================================================================================================
process   the command, rank, and process numbers, when the process imports torch
torch     the version, and the hooks that this torch lacks, when the process imports torch._dynamo
triton    the same of Triton
region    one use of torch.compile: its function, the user's line, its options
convert   one time that Dynamo looked at a frame: how it ended, why, how long it took, and who called
interval  a compile outside of Dynamo: the backward graph at its first run, a CUDA graph that is recorded, a package of
          AOTInductor
reset     a call of torch._dynamo.reset: its lines
names     weights that load_state_dict ignored because their names, or the module's, are a wrapper's
hook      a hook of a module inside of one that torch.compile was used for
copy      a copy of a module, with compiled code that has the original's weights
unchecked a distribution with invalid parameters, which torch doesn't check since torch.compile was used
calls     for each region and thread, how often and how long it ran. The numbers are totals, the last record counts
raised    an exception that left compiled code or a backward pass, how often; or that ended the program or a thread
trains    the first backward pass begins
printed   a line that the program printed, where two runs are compared
values    samples of what one of the first calls was given, returned and changed, or of gradients, there
samples   lines in which modules ran, of a program that does not use torch.compile so far
between   lines in which the main thread was while no compiled function ran, since the last compile
profile   calls that were profiled, and the file, for ``--profile-steps``; or why there is none
export    a program that torch.export made, with the sizes of its inputs
kernel    a compile of a Triton kernel that the program launches: its arguments, as Triton knows them, and the lines
generated a kernel of Inductor's: the bytes that it has to move, and the user's lines, for ``--profile-steps``
search    a search for the fastest configuration of one: the key, how many configurations, and the fastest
log       a message of torch's that says why no CUDA graph is used, why one is recorded again, or that export made a
          size a constant; or a warning of torch's
error     an error of this package
end       the process ended in the usual way
========  ============================================================================================================
"""

import atexit
import importlib
import os
import sys
import threading

from . import (
    calls,
    compiles,
    distributions,
    exports,
    files,
    frames,
    guards,
    kernels,
    modules,
    printed,
    raised,
    stacks,
    traces,
)
from .files import guarded, write
from .samples import Samples

if "COMPILE_LESSONS_PROFILE" in os.environ:
    from . import limits
    from .profile import Window
if "COMPILE_LESSONS_VALUES" in os.environ:
    from . import values

#: What watches each private name of torch: a function that takes the object and returns the one to put in its place.
HOOKS = {
    "torch._dynamo.convert_frame:CatchErrorsWrapper.__call__": frames.watch_frames,
    "torch._dynamo.convert_frame:get_and_maybe_log_recompilation_reasons": guards.watch_reasons,
    "torch._dynamo.output_graph:OutputGraph.call_user_compiler": frames.watch_graphs,
    "torch._dynamo.eval_frame:OptimizeContext.__call__": calls.watch_regions,
    "torch._dynamo.eval_frame:_NullDecorator.__call__": calls.watch_disabled,
    "torch._dynamo.convert_frame:FRAME_COMPILE_COUNTER": frames.watch_numbers,
    "torch._dynamo.callback:callback_handler": compiles.watch_compiles,
    "torch.export.exported_program:ExportedProgram.__init__": exports.watch_exports,
    "torch._dynamo:reset": compiles.watch_resets,
    "torch.nn.modules.module:Module.load_state_dict": modules.watch_loads,
    "torch.nn.modules.module:Module.register_forward_hook": modules.watch_hooks,
    "torch.nn.modules.module:Module.register_forward_pre_hook": modules.watch_hooks,
    "torch.nn.modules.module:Module.register_full_backward_hook": modules.watch_hooks,
    "torch.nn.modules.module:Module.register_full_backward_pre_hook": modules.watch_hooks,
    "torch.nn.modules.module:Module.__setstate__": modules.watch_copies,
    "torch.distributions.distribution:Distribution.__init__": distributions.watch,
    "torch.autograd:_engine_run_backward": compiles.watch_backward,
    "torch._logging._internal:LazyTraceHandler.format": traces.watch_format,
    "torch._C._dynamo.eval_frame:set_guard_complete_hook": calls.watch_lookups,
    "torch._logging._internal:LOG_TRACE_HANDLER": traces.watch_handler,
    "torch._logging._internal:LazyTraceHandler.emit": traces.watch_emit,
    "torch._logging._internal:LazyTraceHandler.handleError": traces.watch_errors,
}


def start(folder):
    """Begin to write into ``folder``. A process that has forked goes on in a file of its own."""
    files.folder = folder
    calls.steps = int(os.environ.get("COMPILE_LESSONS_STEPS", "0"))
    os.register_at_fork(after_in_child=_after_fork)


def _after_fork():
    files.after_fork()
    calls.after_fork()
    if stacks.torch_folder:
        guarded(_describe_process, stacks.user_stack(sys._getframe(1)))


def torch_imported(torch):
    """Describe the process. ``sitecustomize`` calls it when the program has imported torch."""
    guarded(_after_torch, torch)
    if "torch._dynamo" in sys.modules:
        guarded(_after_dynamo)


def dynamo_imported(dynamo):
    """Watch Dynamo. ``sitecustomize`` calls it when the program, or torch, has imported torch._dynamo."""
    if stacks.torch_folder:  # else torch imports it, as for TORCH_COMPILE_DEBUG, and isn't there itself
        guarded(_after_dynamo)


def triton_imported():
    """Watch Triton. ``sitecustomize`` calls it when the program, or torch, has imported Triton's autotuner."""
    guarded(_after_triton)


def _after_triton():
    import triton

    write("triton", version=triton.__version__, missing=_watch(kernels.HOOKS))


def _after_torch(torch):
    stacks.torch_folder = os.path.dirname(torch.__file__) + os.sep
    guarded(_describe_process)
    if "COMPILE_LESSONS_SEED" in os.environ:
        guarded(_seed, torch, int(os.environ["COMPILE_LESSONS_SEED"]))
        guarded(printed.watch)
    atexit.register(guarded, _end)
    raised.watch_threads()
    if threading.current_thread() is threading.main_thread():
        Samples()


def _describe_process(forked_at=()):
    rank = os.environ.get("RANK", "")
    known = {"rank": int(rank)} if rank.isascii() and rank.isdigit() and len(rank) < 10 else {}
    write("process", pid=os.getpid(), parent=os.getppid(), argv=sys.orig_argv, forked_at=forked_at, **known)


def _seed(torch, number):
    """Give two runs the same random numbers, unless the program seeds them itself."""
    import random

    random.seed(number)
    torch.manual_seed(number)
    if "numpy" in sys.modules:
        sys.modules["numpy"].random.seed(number)


def _end():
    calls.at_exit()
    kernels.at_exit()
    raised.at_exit()
    if calls.regions:
        raised.note_last()
    write("end")


def _after_dynamo():
    import torch

    missing = _watch({**HOOKS, **compiles.HOOKS})
    compiles.watch_log()
    if "COMPILE_LESSONS_PROFILE" in os.environ:
        guarded(_open_window, int(os.environ["COMPILE_LESSONS_PROFILE"]))
    if "COMPILE_LESSONS_VALUES" in os.environ:
        guarded(_watch_values, os.environ["COMPILE_LESSONS_VALUES"])
    if "COMPILE_LESSONS_STANCE" in os.environ:
        guarded(torch.compiler.set_stance, os.environ["COMPILE_LESSONS_STANCE"])
    write("torch", version=torch.__version__, missing=missing)


def _watch(hooks):
    """Put what watches in the place of each name. Return the names that there are not."""
    missing = []
    for name, watch in hooks.items():
        try:
            owner, attribute = resolve(name)
        except (ImportError, AttributeError):
            missing.append(name)
        else:
            original = getattr(owner, attribute)
            watching = watch(original)
            setattr(owner, attribute, watching)
            if watching is not original and hasattr(original, "__code__"):
                guarded(stacks.show_as, watching, original)
    return missing


def _open_window(steps):
    calls.window = Window(files.folder, steps, write, guarded, limits)


def _watch_values(how):
    """Sample values: ``as-is``, with eager mode's random numbers and ``roundings``, or with inputs that are moved.

    ``plain`` has torch.compile return what it is given, without names of a wrapper.
    """
    if how == "plain":
        calls.watch_values = modules.leave_out
        return
    calls.watch_values, compiles.note_gradients = values.watch, values.note_backward
    if how == "roundings":
        import torch._inductor.config as inductor

        inductor.fallback_random = inductor.emulate_precision_casts = True
    elif how != "as-is":
        values.noise = float(how)


def resolve(name):
    """Return the object that has an attribute, and the attribute's name. Raise if a torch lacks it."""
    module, _, path = name.partition(":")
    owner = importlib.import_module(module)
    *owners, attribute = path.split(".")
    for part in owners:
        owner = getattr(owner, part)
    getattr(owner, attribute)
    return owner, attribute

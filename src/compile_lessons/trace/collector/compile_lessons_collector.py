"""Write down what torch.compile does in the user's program, as JSON lines, while the program runs.

This module runs inside the user's process. It uses the standard library alone, judges nothing, and never lets an
error of its own reach the program: an error becomes a record. ``compile_lessons.trace.read`` reads the records.

The private names of torch that it relies on are in ``HOOKS``. Where a torch lacks one, the record ``torch`` names it,
and everything else goes on. The records:

========  ============================================================================================================
process   the command, rank, and process numbers, when the process imports torch
torch     the version, and the hooks that this torch lacks, when the process imports torch._dynamo
region    one use of torch.compile: its function, the user's line, its options
convert   one time that Dynamo looked at a frame: how it ended, why, how long it took, and who called
interval  a compile outside of Dynamo: the backward graph at its first run, a CUDA graph that is recorded
calls     for each region and thread, how often and how long it ran. The numbers are totals, the last record counts
samples   lines in which modules ran, of a program that does not use torch.compile so far
profile   calls that were profiled, and the file, for ``--profile-steps``; or why there is none
log       a message of torch's that says why no CUDA graph is used, or why one is recorded again
error     an error of this module
end       the process ended in the usual way
========  ============================================================================================================
"""

import atexit
import collections
import contextlib
import inspect
import itertools
import json
import math
import os
import re
import sys
import sysconfig
import threading
import time
import weakref

#: What a private name is used for, by that name.
HOOKS = {
    "torch._dynamo.convert_frame:CatchErrorsWrapper.__call__": "each frame that Dynamo looks at",
    "torch._dynamo.convert_frame:get_and_maybe_log_recompilation_reasons": "guards that failed, with the new value",
    "torch._dynamo.output_graph:OutputGraph.call_user_compiler": "lines that are in a graph many times",
    "torch._dynamo.eval_frame:OptimizeContext.__call__": "each use of torch.compile, and its calls",
    "torch._dynamo.eval_frame:_NullDecorator.__call__": "uses of torch.compile that are turned off",
    "torch._dynamo.convert_frame:FRAME_COMPILE_COUNTER": "the number of a compile of a frame",
    "torch._dynamo.callback:callback_handler": "compiles outside of Dynamo",
    "torch._C._dynamo.eval_frame:set_guard_complete_hook": "calls that no compiled version fits",
}
#: The logger of what Inductor says about CUDA graphs: ``torch._logging.getArtifactLogger(…, "cudagraphs")``.
CUDA_GRAPH_LOG = "torch._inductor.cudagraph_utils.__cudagraphs"
#: How often the program is looked at before it uses torch.compile, in seconds.
#: Totals are written after each of the first calls, and from then on at most this often, in seconds.
_SAMPLE = 0.02
_EACH_CALL = 64
_THREADS = 32  # that are remembered when another one begins
_EVERY = 0.25
_LONGEST = 400  # characters of a text from torch
_VERSIONS = 8  # whose guards are written down, the newest ones
_DEEPEST = 12  # lines of a stack
_REPEATED = 24  # lines that are in a graph several times, those with the most operations first
#: A frame of the stack of an operation in a graph.
_STACK = re.compile(r'^  File "(.+)", line (\d+), in (.+)$', re.MULTILINE)

_file = None
_path = ""
_began = 0.0  # seconds that this module took
_lock = threading.Lock()
_local = threading.local()
_states: list = []
_numbers = itertools.count()
_writes = 0
_regions: dict = {}
_steps = 0
_window = None  # of --profile-steps
_folders = ()
_torch_folder = ""
_standard = ""


def start(folder):
    """Begin to write into ``folder``. A process that has forked goes on in a file of its own."""
    global _path, _steps
    _path = folder
    _steps = int(os.environ.get("COMPILE_LESSONS_STEPS", "0"))
    os.register_at_fork(after_in_child=_after_fork)


# ---------------------------------------------------------------------------------------------------- the file


def _write(event, **fields):
    global _file
    with _lock:
        if _file is None:
            name = f"{os.getpid()}-{time.time_ns()}.jsonl"
            _file = os.open(os.path.join(_path, name), os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        line = json.dumps({"e": event, "t": time.time(), **fields}, default=repr, separators=(",", ":")) + "\n"
        os.write(_file, line.encode("utf-8", "backslashreplace"))


def guarded(action, *args):
    """Call ``action``; its error is a record, as the user's program must not see it."""
    try:
        return action(*args)
    except Exception as error:
        with contextlib.suppress(Exception):  # the disk is full, say: then there is nothing left to do
            _write("error", where=getattr(action, "__name__", ""), message=repr(error)[:_LONGEST])
        return None


def _after_fork():
    """A forked process has a file of its own, and counts its own calls only."""
    global _file, _lock, _local
    if _file is not None:
        os.close(_file)
    _file = None
    _lock = threading.Lock()
    _local = threading.local()
    _states.clear()
    if _torch_folder:
        guarded(_describe_process)


def _describe_process():
    names = ("RANK", "LOCAL_RANK", "WORLD_SIZE", "TORCHELASTIC_RESTART_COUNT")
    _write(
        "process",
        v=1,
        pid=os.getpid(),
        parent=os.getppid(),
        argv=list(getattr(sys, "orig_argv", sys.argv)),
        python=sys.version.split()[0],
        **{name.lower(): os.environ[name] for name in names if name in os.environ},
    )


# ---------------------------------------------------------------------------------------------------- torch


def torch_imported(torch):
    """Describe the process. ``sitecustomize`` calls it when the program has imported torch."""
    guarded(_after_torch, torch)


def dynamo_imported(dynamo):
    """Watch Dynamo. ``sitecustomize`` calls it when the program, or torch, has imported torch._dynamo."""
    guarded(_after_dynamo)


def _after_torch(torch):
    global _torch_folder, _standard, _folders
    _torch_folder = os.path.dirname(torch.__file__) + os.sep
    _standard = sysconfig.get_path("stdlib") + os.sep
    _folders = tuple({sysconfig.get_path(name) + os.sep for name in ("purelib", "platlib")})
    _describe_process()
    if "COMPILE_LESSONS_SEED" in os.environ:
        guarded(_seed, torch, int(os.environ["COMPILE_LESSONS_SEED"]))
    atexit.register(guarded, _end)
    if threading.current_thread() is threading.main_thread():
        _Samples()


def _seed(torch, number):
    """Give two runs the same random numbers, unless the program seeds them itself."""
    import random

    random.seed(number)
    torch.manual_seed(number)
    if "numpy" in sys.modules:
        sys.modules["numpy"].random.seed(number)


class _Samples:
    """Notes in which line of the program the modules run, as long as it does not use torch.compile.

    A thread looks at the main thread. It ends before a fork and begins again after it: Python warns of a fork in a
    process with several threads.
    """

    def __init__(self):
        self.main = threading.main_thread().ident
        self.counts = {}
        self.total = self.backward = self.written = 0
        self.start()
        os.register_at_fork(before=self.stop, after_in_parent=self.start)

    def start(self):
        self.ending = threading.Event()
        self.thread = threading.Thread(target=guarded, args=(self.run,), name="compile-lessons", daemon=True)
        if not _regions:
            self.thread.start()

    def stop(self):
        self.ending.set()
        if self.thread.is_alive():
            self.thread.join()

    def run(self):
        while not _regions and not self.ending.wait(_SAMPLE):
            frame = sys._current_frames().get(self.main)
            line = _line_of_module(frame)
            if line is not None:
                self.counts[line] = self.counts.get(line, 0) + 1
            if self.counts:
                self.total += 1
                self.backward += _is_in_backward(frame)
            if self.total > 1.2 * self.written:
                self.written = self.total
                _write_samples(self.counts, self.total, self.backward)


def _line_of_module(frame):
    """Return the user's line that called the outermost module; ``None`` if no module runs."""
    line = None
    while frame is not None:
        if frame.f_code.co_name == "_wrapped_call_impl":
            caller = frame.f_back
            while caller is not None and not _is_user_file(caller.f_code.co_filename):
                caller = caller.f_back
            if caller is not None:
                line = (caller.f_code.co_filename, caller.f_lineno, caller.f_code.co_name)
        frame = frame.f_back
    return line


def _is_in_backward(frame):
    """Return whether a backward pass runs: its operators have no frame of Python's, the function that starts it has."""
    while frame is not None and frame.f_code.co_name != "_engine_run_backward":
        frame = frame.f_back
    return frame is not None


def _write_samples(counts, total, backward):
    most = sorted(counts.items(), key=lambda item: -item[1])[:3]
    lines = [[*line, count] for line, count in most]
    _write("samples", total=total, seconds=total * _SAMPLE, backward=backward, lines=lines)


def _end():
    if _window is not None:
        _window.at_exit()
    for state in list(_states):
        _write_calls(state)
    _write("end")


def _after_dynamo():
    import torch

    missing = []
    watches = {
        "torch._dynamo.convert_frame:CatchErrorsWrapper.__call__": _watch_frames,
        "torch._dynamo.convert_frame:get_and_maybe_log_recompilation_reasons": _watch_reasons,
        "torch._dynamo.output_graph:OutputGraph.call_user_compiler": _watch_graphs,
        "torch._dynamo.eval_frame:OptimizeContext.__call__": _watch_regions,
        "torch._dynamo.eval_frame:_NullDecorator.__call__": _watch_disabled,
        "torch._dynamo.callback:callback_handler": _watch_compiles,
        "torch._C._dynamo.eval_frame:set_guard_complete_hook": _watch_lookups,
    }
    for name in HOOKS:
        try:
            owner, attribute = _resolve(name)
        except (ImportError, AttributeError):
            missing.append(name)
        else:
            if name in watches:
                watches[name](owner, attribute)
    _watch_log(CUDA_GRAPH_LOG)
    if "COMPILE_LESSONS_PROFILE" in os.environ:
        guarded(_open_window, int(os.environ["COMPILE_LESSONS_PROFILE"]))
    if "COMPILE_LESSONS_STANCE" in os.environ:
        guarded(torch.compiler.set_stance, os.environ["COMPILE_LESSONS_STANCE"])
    _write("torch", version=torch.__version__, missing=missing)


def _open_window(steps):
    global _window
    sys.path.insert(0, os.path.dirname(__file__))
    try:
        import compile_lessons_profile
    finally:
        sys.path.remove(os.path.dirname(__file__))
    _window = compile_lessons_profile.Window(_path, steps, _write, guarded)


def _resolve(name):
    import importlib

    module, _, path = name.partition(":")
    owner = importlib.import_module(module)
    *owners, attribute = path.split(".")
    for part in owners:
        owner = getattr(owner, part)
    getattr(owner, attribute)
    return owner, attribute


class _State:
    """What one thread does."""

    def __init__(self):
        self.number = next(_numbers)
        self.thread = weakref.ref(threading.current_thread())
        self.main = self.thread() is threading.main_thread()
        self.depth = 0
        self.region = None
        self.began = 0.0
        self.compiling = 0.0  # seconds, in the call that runs
        self.converting = 0  # depth
        self.key = None  # of the last lookup that failed
        self.misses = 0
        self.reason = None
        self.repeated = None  # lines of the graph of the compile that runs
        self.totals = {}
        self.missed = {}
        self.waiting = False  # for the first lookup of the call that runs
        self.lookups = {}
        self.changed = set()  # regions
        self.written = 0.0
        if len(_states) >= _THREADS:
            guarded(_forget_ended_threads)
        _states.append(self)


def _forget_ended_threads():
    """Drop what threads that have ended did, once it is written: a server may start one for each request."""
    for state in list(_states):
        thread = state.thread()
        if thread is None or not thread.is_alive():
            _write_calls(state)
            _states.remove(state)


def _state():
    try:
        return _local.state
    except AttributeError:
        _local.state = state = _State()
        return state


# ---------------------------------------------------------------------------------------------------- regions


def _watch_regions(owner, attribute):
    original = getattr(owner, attribute)

    def __call__(self, fn):
        if getattr(self, "_compile_lessons_region", None) is None:
            self._compile_lessons_region = guarded(_add_region, self, fn) or -1
        return original(self, fn)

    setattr(owner, attribute, __call__)


def _add_region(context, fn):
    number = len(_regions) + 1
    _regions[number] = True
    hooks = getattr(context, "enter_exit_hooks", None)
    if hooks is not None:
        if _window is not None:
            hooks.append(_window.make_enter(number))
        hooks.append(_make_enter(number))
    elif number == 1:
        _write("error", where="region", message="this torch has no enter_exit_hooks: calls are not counted")
    converter = getattr(context, "callback", None)
    limit = None
    while converter is not None and limit is None:
        limit = getattr(converter, "_recompile_limit", None)
        converter = getattr(converter, "_torchdynamo_orig_backend", None)
    backend = innermost = getattr(context, "callback", None)
    while (innermost := getattr(innermost, "_torchdynamo_orig_backend", None)) is not None:
        backend = innermost
    _write(
        "region",
        id=number,
        stack=_user_stack(sys._getframe(2)),
        backend=getattr(backend, "compiler_name", None) or getattr(backend, "__name__", repr(type(backend))),
        dynamic=getattr(context, "_dynamic", None),
        fullgraph=getattr(context, "fullgraph", None),
        own_limit=limit,
        limit=_config("recompile_limit"),
        thread=threading.current_thread().name,
        **_describe_function(fn),
    )
    return number


def _describe_function(fn):
    """Return the name and place of what is compiled."""
    inner = fn
    module = None
    if hasattr(type(fn), "_wrapped_call_impl"):  # an nn.Module
        module = type(fn).__name__
        inner = type(fn).forward
    inner = getattr(inner, "__func__", inner)
    owner = getattr(fn, "__self__", None)
    in_place = False
    if module is None and owner is not None and not inspect.isclass(owner) and not inspect.ismodule(owner):
        module = type(owner).__name__
        in_place = hasattr(type(owner), "_wrapped_call_impl") and inner.__name__ == "_call_impl"  # module.compile()
        if in_place:
            inner = type(owner).forward
    inner = getattr(inner, "__wrapped__", inner)
    code = getattr(inner, "__code__", None)
    place = [code.co_filename, code.co_firstlineno, code.co_name] if code else None
    name = getattr(inner, "__qualname__", type(fn).__name__)
    return {"function": name, "module": module, "code": place, "in_place": in_place}


def _config(name):
    import torch._dynamo.config

    return getattr(torch._dynamo.config, name, None)


def _make_enter(number):
    clock = time.perf_counter

    def leave_nested():
        _state().depth -= 1

    def leave():
        state = _state()
        if state.region != number:  # the region was entered before a fork
            state.depth = 0
            return
        state.depth -= 1
        elapsed = clock() - state.began
        totals = state.totals.get(number)
        if totals is None:
            totals = state.totals[number] = [0, 0.0, 0.0, 0, 0.0]
        state.changed.add(number)
        totals[0] += 1
        totals[1] += elapsed
        totals[2] += state.compiling
        if state.misses:
            totals[3] += 1
            totals[4] += elapsed - state.compiling
        state.region = None
        if _writes < _EACH_CALL or clock() - state.written > _EVERY:
            guarded(_write_calls, state)
            state.written = clock()
            if 0 < _steps <= totals[0]:
                guarded(_ask_to_stop)

    def enter():
        state = _state()
        state.depth += 1
        if state.depth > 1:
            return leave_nested
        state.region = number
        state.misses = 0
        state.compiling = 0.0
        state.waiting = True
        state.began = clock()
        return leave

    return enter


def _ask_to_stop():
    open(os.path.join(_path, "stop"), "w").close()


def _write_calls(state):
    """Write the totals of the regions that ran in a thread since they were written last."""
    global _writes
    _writes += 1
    changed, state.changed = state.changed, set()
    totals = [[number, *values] for number, values in list(state.totals.items()) if number in changed]
    missed = [[*key, count] for key, count in list(state.missed.items()) if key[0] in changed]
    lookups = [[number, *values] for number, values in list(state.lookups.items()) if number in changed]
    if totals or missed:
        _write("calls", who=state.number, regions=totals, missed=missed, lookups=lookups, **_peaks())


def _watch_disabled(owner, attribute):
    original = getattr(owner, attribute)

    def __call__(self, fn):
        guarded(_add_disabled, fn)
        return original(self, fn)

    setattr(owner, attribute, __call__)


def _add_disabled(fn):
    number = len(_regions) + 1
    _regions[number] = True
    _write("region", id=number, disabled=True, stack=_user_stack(sys._getframe(2)), **_describe_function(fn))


# ---------------------------------------------------------------------------------------------------- frames


def _watch_lookups(owner, attribute):
    """Count the calls that no compiled version fits. Whoever sets this hook too still gets its own calls."""
    original = getattr(owner, attribute)
    chained = None
    clock = time.perf_counter

    def on_lookup(hit):
        state = _state()
        if hit and state.waiting:  # what a call spends before its compiled code begins
            lookups = state.lookups.setdefault(state.region, [0, 0.0])
            lookups[0] += 1
            lookups[1] += clock() - state.began
        state.waiting = False
        if not hit:
            code = sys._getframe(1).f_code
            state.key = key = (state.region, code.co_filename, code.co_name)
            state.misses += 1
            state.missed[key] = state.missed.get(key, 0) + 1
        return hit if chained is None else chained(hit)

    def set_guard_complete_hook(hook):
        nonlocal chained
        before, chained = chained, hook
        return before

    original(on_lookup)
    setattr(owner, attribute, set_guard_complete_hook)


def _watch_frames(owner, attribute):
    original = getattr(owner, attribute)
    clock = time.perf_counter

    def __call__(self, frame, cache_entry, frame_state, *args, **kwargs):
        state = _state()
        key, state.key, state.reason, state.repeated = state.key, None, None, None
        if key is not None:  # this lookup ends in a compile, so it is no call that stays in eager mode
            state.misses -= 1
            state.missed[key] -= 1
        caller = sys._getframe(1)
        number = _compiles_of(frame_state)
        before = {} if state.converting else guarded(_memory) or {}
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

    setattr(owner, attribute, __call__)


def _compiles_of(frame_state):
    """Return how many compiles of a frame have begun; ``None`` in a torch that doesn't count them there."""
    counter = getattr(sys.modules["torch._dynamo.convert_frame"], "FRAME_COMPILE_COUNTER", None)
    return None if counter is None else counter.get(frame_state.get("_id"), 0)


def _add_convert(state, frame, frame_state, result, error, elapsed, key, caller, number, before):
    if _window is not None:
        _window.compiled()
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
    if outcome == "skipped" and not _is_user_file(code.co_filename):
        return
    frame_id = frame_state.get("_id")
    record = {}
    if outcome != "skipped":
        record["limits"] = [_config("recompile_limit"), _config("accumulated_recompile_limit")]
    if state.reason is not None:
        record["guards"] = state.reason
    if state.repeated is not None:
        record["repeated"] = state.repeated
    if key is not None:
        record["key"] = key
    totals = state.totals.get(state.region)
    if number is not None and number != _compiles_of(frame_state):
        record["number"] = number
    if outcome == "compiled":
        after = _memory()
        record |= {name: [value, after[name]] for name, value in before.items() if name in after}
        record |= _float32_precision()
    if code.co_flags & inspect.CO_GENERATOR:
        record["generator"] = True
    _write(
        "convert",
        who=state.number,
        outcome=outcome,
        seconds=elapsed,
        frame=frame_id,
        code=[code.co_filename, code.co_firstlineno, code.co_name],
        name=code.co_qualname,
        reason=reason and reason[: 10 * _LONGEST],
        region=state.region,
        call=(totals[0] if totals else 0) + 1 if state.region else None,
        nested=state.converting or None,
        thread=threading.current_thread().name,
        main=state.main,
        stack=_user_stack(caller),
        **record,
    )


def _watch_reasons(owner, attribute):
    original = getattr(owner, attribute)

    def get_and_maybe_log_recompilation_reasons(entries, frame, *args, **kwargs):
        reasons = original(entries, frame, *args, **kwargs)
        if reasons:
            guarded(_note_reason, reasons, frame)
        return reasons

    setattr(owner, attribute, get_and_maybe_log_recompilation_reasons)


def _watch_graphs(owner, attribute):
    original = getattr(owner, attribute)

    def call_user_compiler(self, gm, *args, **kwargs):
        guarded(_note_repeated, gm)
        return original(self, gm, *args, **kwargs)

    setattr(owner, attribute, call_user_compiler)


def _note_repeated(graph_module):
    """Note each line that led to several copies of the same operations, also as the caller of what has them.

    Steps of a loop have the same stack. So a line has as many copies as what is below it has in common.
    """
    counts = collections.Counter(
        (node.stack_trace, node.target) for node in graph_module.graph.nodes if node.op.startswith("call_")
    )
    lines = {}
    for (stack, _), count in counts.items():
        for file, line, function in set(_STACK.findall(stack or "")):
            copies, operations = lines.get((file, line, function), (0, 0))
            lines[file, line, function] = math.gcd(copies, count), operations + count
    several = [(line, numbers) for line, numbers in lines.items() if numbers[0] > 1 and _is_user_file(line[0])]
    several.sort(key=lambda pair: -pair[1][1])
    _state().repeated = [[file, int(line), name, *numbers] for (file, line, name), numbers in several[:_REPEATED]]


def _note_reason(reasons, frame):
    texts = [str(reason)[: 4 * _LONGEST] for reason in reasons[:_VERSIONS]]
    _state().reason = [[text, _new_value(text, frame)] for text in texts]


def _new_value(reason, frame):
    """Return the value, as text, that the guard of ``reason`` compared: what it is in the call that failed."""
    left, found, _ = reason.partition(": ")[2].partition(" == ")
    if not found or not left.isprintable():
        return None
    import ast

    try:
        tree = ast.parse(left.strip(), mode="eval").body
        value = _evaluate(tree, frame)
    except (SyntaxError, LookupError, AttributeError, TypeError, ValueError):
        return None
    is_plain = value is None or isinstance(value, (bool, int, float, str))
    return repr(value)[:80] if is_plain else None


def _evaluate(node, frame):
    """Evaluate names, subscripts, ``len`` and attributes that an object holds itself: no code of the user's runs."""
    import ast

    if isinstance(node, ast.Name):
        if node.id == "G":
            return frame.f_globals
        return frame.f_locals if node.id == "L" else frame.f_locals[node.id]
    if isinstance(node, ast.Constant):
        return node.value
    if isinstance(node, ast.Subscript):
        container, key = _evaluate(node.value, frame), _evaluate(node.slice, frame)
        if type(container) in (dict, list, tuple) or type(container).__getitem__ in (
            dict.__getitem__,
            list.__getitem__,
        ):
            return container[key]
        raise TypeError
    if isinstance(node, ast.Attribute):
        owner = _evaluate(node.value, frame)
        values = object.__getattribute__(owner, "__dict__")
        if node.attr in values:
            return values[node.attr]
        for held in ("_modules", "_parameters", "_buffers"):
            if node.attr in values.get(held, ()):
                return values[held][node.attr]
        raise AttributeError
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "len" and len(node.args) == 1:
        container = _evaluate(node.args[0], frame)
        if isinstance(container, (dict, list, tuple, set)):
            return len(container)
    raise TypeError


def _is_user_file(file):
    if file.startswith("<"):
        return file.startswith(("<ipython-input-", "<stdin>"))
    if file.startswith((_torch_folder, os.path.dirname(__file__))):
        return False
    return not file.startswith(_standard) or file.startswith(_folders)


def _user_stack(frame):
    """Return the lines outside of torch and Python's own modules that led to ``frame``, the innermost first."""
    stack = []
    while frame is not None and len(stack) < _DEEPEST:
        code = frame.f_code
        if _is_user_file(code.co_filename):
            stack.append([code.co_filename, frame.f_lineno, code.co_name])
        frame = frame.f_back
    return stack


# ---------------------------------------------------------------------------------------------------- memory, GPU


def _gpu():
    """Return ``torch.cuda`` if the program uses a GPU."""
    import torch

    return torch.cuda if torch.cuda.is_initialized() else None


def _memory():
    """Return the bytes that this process has, and those that torch gave out on the GPU."""
    numbers = {}
    with contextlib.suppress(OSError), open("/proc/self/statm", "rb") as file:
        numbers["memory"] = int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    gpu = _gpu()
    if gpu is not None:
        numbers["gpu_memory"] = gpu.memory_allocated()
    return numbers


def _peaks():
    numbers = {}
    with contextlib.suppress(ImportError):  # Windows
        import resource

        unit = 1 if sys.platform == "darwin" else 1024
        numbers["peak"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit
    gpu = _gpu()
    if gpu is not None:
        numbers["gpu_peak"] = gpu.max_memory_allocated()
    return numbers


def _float32_precision():
    """Return how torch computes float32 matmuls, if this GPU has TF32 and torch doesn't use it."""
    import torch

    gpu = _gpu()
    if gpu is None or torch.version.cuda is None or gpu.get_device_capability() < (8, 0):
        return {}
    precision = torch.backends.cuda.matmul.fp32_precision
    return {} if precision == "tf32" else {"float32": "ieee" if precision == "none" else precision}


# ---------------------------------------------------------------------------------------------------- other compiles


def _watch_compiles(owner, attribute):
    handler = getattr(owner, attribute)
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
            guarded(_add_interval, trigger, str(args.compile_id), start, details[trigger] or {})

    handler.register_start_callback(on_start)
    handler.register_end_callback(on_end)


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
        details["reason"] = values["status_logger"]()[: 4 * _LONGEST]
    return details


def _add_interval(trigger, compile_id, start, details):
    if _window is not None:
        _window.compiled()
    state = _state()
    elapsed = time.time() - start
    if state.depth:
        state.compiling += elapsed
    _write(
        "interval",
        trigger=trigger,
        id=compile_id,
        seconds=elapsed,
        thread=threading.current_thread().name,
        main=state.main,
        stack=_user_stack(sys._getframe(1)),
        **details,
    )


def _watch_log(name):
    """Write down what torch logs about CUDA graphs, at whatever level the program has set."""
    import logging

    class Handler(logging.Handler):
        def emit(self, record):
            guarded(_add_log, record)

    log = logging.getLogger(name)
    log.addHandler(Handler(logging.WARNING))


def _add_log(record):
    _write("log", name=record.name, message=record.getMessage()[:_LONGEST], stack=_user_stack(sys._getframe(1)))

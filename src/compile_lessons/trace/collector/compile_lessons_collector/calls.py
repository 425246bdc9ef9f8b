"""Uses of torch.compile, and their calls: how often and how long each ran, in each thread."""

import inspect
import itertools
import os
import sys
import threading
import time
import weakref

from . import files, modules, raised
from .files import guarded, write
from .memory import peaks
from .stacks import user_stack

#: Totals are written after each of the first calls, and from then on at most this often, in seconds.
_EACH_CALL, _EVERY = 64, 0.25
_THREADS = 32  # that are remembered when another one begins

regions: dict = {}  # by their numbers: what is written of each
_described: set = set()  # regions of which this process has written it
unguarded: set = set()  # regions whose own function is skipped: eager code runs before the first guard is checked
compiles = 0  # in all threads
steps = 0  # after which the program is asked to end
window = None  # of --profile-steps
watch_values = None  # of --compare
_local = threading.local()
_states: list = []
_numbers = itertools.count()
_writes = 0


class _State:
    """What one thread does: its totals, and the call and the compile that run."""

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
        self.handled = 0  # the id of an exception that the program handles while the call runs
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
            write_calls(state)
            _states.remove(state)


def main_state():
    """Return the state of the main thread, if that has called a compiled function."""
    return next((state for state in list(_states) if state.main), None)


def note_compile():
    global compiles
    compiles += 1


def state_of_thread():
    """Return the state of the thread that runs."""
    try:
        return _local.state
    except AttributeError:
        _local.state = state = _State()
        return state


def after_fork():
    """Count the calls of this process only, in a process that was forked."""
    global _local
    _local = threading.local()
    _states.clear()
    _described.clear()
    raised.after_fork()


def at_exit():
    """Write what isn't written yet."""
    if window is not None:
        window.at_exit()
    for state in list(_states):
        write_calls(state)


def watch_regions(original):
    """Note each use of torch.compile, and its calls."""

    def __call__(self, fn):
        if getattr(self, "_compile_lessons_region", None) is None:
            self._compile_lessons_region = guarded(_add_region, self, fn) or -1
        compiled = original(self, fn)
        return watch_values(compiled, fn, self._compile_lessons_region) if watch_values else compiled

    return __call__


def _add_region(context, fn):
    number = len(regions) + 1
    function = _describe_function(fn)
    about = regions[number] = {"id": number, "code": function["code"]}
    guarded(modules.note, number, fn)
    hooks = getattr(context, "enter_exit_hooks", None)
    if hooks is not None:
        if window is not None:
            hooks.append(window.make_enter(number))
        hooks.append(make_enter(number))
    elif number == 1:
        write("error", where="region", message="this torch has no enter_exit_hooks: calls are not counted")
    backend = limit = None
    inner = getattr(context, "callback", None)
    while inner is not None:
        backend, inner = inner, getattr(inner, "_torchdynamo_orig_backend", None)
        limit = getattr(backend, "_recompile_limit", None) if limit is None else limit
    flags = {"dynamic": getattr(context, "_dynamic", None), "fullgraph": getattr(context, "fullgraph", None)}
    about.update(
        stack=user_stack(sys._getframe(2)),
        backend=str(getattr(backend, "compiler_name", None) or getattr(backend, "__name__", type(backend))),
        own_limit=limit,
        limit=config("recompile_limit"),
        thread=threading.current_thread().name,
        **{name: None if flag is None else bool(flag) for name, flag in flags.items()},
        **function,
    )
    _describe(number)
    return number


def _describe(number):
    """Write what is known of a region: a process that was forked has its calls in a file of its own."""
    if number not in _described:
        _described.add(number)
        write("region", **regions[number])


def _describe_function(fn):
    """Return the name and place of what is compiled."""
    inner = fn = modules.unwrap(fn)
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


def config(name):
    import torch._dynamo.config

    return getattr(torch._dynamo.config, name, None)


def make_enter(number):
    clock, current = time.perf_counter, sys.exc_info

    def leave_nested():
        state_of_thread().depth -= 1

    def leave():
        state = state_of_thread()
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
        error = current()[1]
        if error is not None and id(error) != state.handled:
            guarded(raised.note, error, who_calls(state, "call", totals[0]), sys._getframe(1))
        state.region = None
        if _writes < _EACH_CALL or state.compiling or clock() - state.written > _EVERY:
            guarded(write_calls, state)
            state.written = clock()
            if 0 < steps <= totals[0]:
                guarded(_ask_to_stop)

    def enter():
        state = state_of_thread()
        state.depth += 1
        if state.depth > 1:
            return leave_nested
        state.region = number
        state.misses = 0
        state.compiling = 0.0
        state.waiting = number not in unguarded
        state.handled = id(current()[1])
        state.began = clock()
        return leave

    return enter


def who_calls(state, when, call=None):
    thread = threading.current_thread().name
    return {"when": when, "region": state.region, "call": call, "thread": thread, "main_thread": state.main}


def _ask_to_stop():
    os.close(os.open(os.path.join(files.folder, "stop"), os.O_WRONLY | os.O_CREAT, 0o600))


def write_calls(state):
    """Write the totals of the regions that ran in a thread since they were written last."""
    global _writes
    _writes += 1
    changed, state.changed = state.changed, set()
    totals = [[number, *values] for number, values in list(state.totals.items()) if number in changed]
    missed = [[*key, count] for key, count in list(state.missed.items()) if key[0] in changed]
    lookups = [[number, *values] for number, values in list(state.lookups.items()) if number in changed]
    for number in changed:
        _describe(number)
    if totals or missed:
        write("calls", who=state.number, regions=totals, missed=missed, lookups=lookups, **peaks())


def watch_disabled(original):
    """Note each use of torch.compile that is turned off."""

    def __call__(self, fn):
        guarded(_add_disabled, fn)
        return original(self, fn)

    return __call__


def _add_disabled(fn):
    number = len(regions) + 1
    stack = user_stack(sys._getframe(2))
    regions[number] = dict(id=number, disabled=True, stack=stack, **_describe_function(fn))
    _describe(number)


def watch_lookups(original):
    """Count the calls that no compiled version fits. Whoever sets this hook too still gets its own calls."""
    chained = None
    clock = time.perf_counter

    def on_lookup(hit):
        state = state_of_thread()
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
    return set_guard_complete_hook

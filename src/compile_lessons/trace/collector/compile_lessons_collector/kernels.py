"""Triton kernels that the program launches: their compiles, and the searches for their fastest configuration.

Inductor compiles its kernels in another way, and torch's trace has their time.
"""

import contextlib
import inspect
import sys
import threading
import time

from .files import LONGEST, guarded, write
from .stacks import user_stack

#: How Triton writes down what it knows of an argument besides its type.
_ALIGNED = "tt.divisibility"
#: Options of a compile that a launch, or a configuration of ``triton.autotune``, chooses.
_OPTIONS = ("num_warps", "num_ctas", "num_stages", "maxnreg")

_launches: dict = {}  # by a kernel's id, the kernel and the number of its launches since its first compile
_searches: dict = {}  # by a search's id, what is known of it, until the launch that it was for
_thread = threading.local()


def watch_compiles(original):
    """Note each compile of a kernel, with what Triton knows of its arguments: any of that, if new, is a compile."""
    parameters = inspect.signature(original)

    def _do_compile(self, *args, **kwargs):
        start, cached = time.time(), []
        with _listening(cached):
            kernel = original(self, *args, **kwargs)
        seconds = time.time() - start
        given = guarded(parameters.bind, self, *args, **kwargs)
        guarded(_add_compile, self, given.arguments, start, seconds, cached, sys._getframe(1))
        return kernel

    return _do_compile


@contextlib.contextmanager
def _listening(cached):
    """Put into ``cached`` whether Triton's cache on the disk had the compile. Call the program's own listener, too."""
    settings = getattr(sys.modules["triton"].knobs, "compilation", None)
    if not hasattr(settings, "listener"):
        yield
        return
    own = settings.listener

    def listen(**event):
        cached.append(event.get("cache_hit"))
        if own is not None:
            own(**event)

    settings.listener = listen
    try:
        yield
    finally:
        settings.listener = own


def _add_compile(kernel, given, start, seconds, cached, caller):
    if id(kernel) not in _launches:
        _launches[id(kernel)] = [kernel, 1]  # the launch that waits for this compile
        kernel.add_pre_run_hook(_counter(_launches[id(kernel)]))
    write(
        "kernel",
        kernel=kernel.__name__,
        code=_code(kernel),
        start=start,
        seconds=seconds,
        cached=cached[-1] if cached else None,
        launch=_launches[id(kernel)][1],
        searching=_is_searching(),
        arguments=_arguments(kernel, given, caller),
        stack=user_stack(caller),
    )


def _counter(entry):
    def count(*args, **kwargs):
        if not _is_searching():
            entry[1] += 1
            if _searches:
                guarded(_end_searches)

    return count


def _code(kernel):
    code = kernel.fn.__code__
    return [code.co_filename, code.co_firstlineno, code.co_name]


def _arguments(kernel, given, caller):
    """Return each argument with its type in Triton, its value if that is a number, and what Triton made of it."""
    values = caller.f_locals.get("bound_args", {})
    arguments = []
    for parameter, (name, type_) in zip(kernel.params, given["signature"].items(), strict=False):
        path = (parameter.num,)
        value = values.get(name, given["constexprs"].get(path))
        special = ""
        if parameter.is_constexpr:
            special = "constexpr"
        elif type_ == "constexpr":  # Triton makes 1 and None constants
            special, type_ = "constant", "i32" if isinstance(value, int) else type(value).__name__
        elif any(attribute[0] == _ALIGNED for attribute in given["attrs"].get(path) or ()):
            special = "divisible by 16"
        is_shown = isinstance(value, (bool, int, float, str)) or special in ("constexpr", "constant")
        text = str(value)[:LONGEST] if is_shown else None
        arguments.append({"name": name, "type": str(type_), "value": text, "special": special})
    options = {name: str(getattr(given["options"], name)) for name in _OPTIONS if hasattr(given["options"], name)}
    return arguments + [{"name": name, "type": "option", "value": value} for name, value in options.items()]


def _is_searching():
    return getattr(_thread, "searching", False)


def watch_searches(original):
    """Note each search of ``triton.autotune``, which compiles and times all configurations for a new key."""

    def _bench(self, *args, **kwargs):
        start = time.time()
        _thread.searching = True
        try:
            return original(self, *args, **kwargs)
        finally:
            _thread.searching = False
            guarded(_add_candidate, self, args, kwargs, start, sys._getframe(1))

    return _bench


def _add_candidate(autotuner, args, kwargs, start, caller):
    if id(autotuner) not in _searches:
        given = {**dict(zip(autotuner.arg_names, args, strict=False)), **kwargs}
        keys = [[name, str(given[name])[:LONGEST]] for name in autotuner.keys if name in given]
        _searches[id(autotuner)] = {"autotuner": autotuner, "start": start, "keys": keys, "stack": user_stack(caller)}
    search = _searches[id(autotuner)]
    search["configurations"] = search.get("configurations", 0) + 1
    search["seconds"] = search.get("seconds", 0.0) + time.time() - start


def _end_searches():
    """Write down the searches that have ended: the launch that they were for begins."""
    while _searches:
        _, search = _searches.popitem()
        autotuner = search.pop("autotuner")
        kernel = autotuner.base_fn
        entry = _launches.get(id(autotuner.fn), (None, None))
        write(
            "search",
            kernel=kernel.__name__,
            code=[kernel.__code__.co_filename, kernel.__code__.co_firstlineno, kernel.__name__],
            launch=entry[1],
            best=str(getattr(autotuner, "best_config", ""))[:LONGEST],
            **search,
        )


#: What watches each private name of Triton.
HOOKS = {
    "triton.runtime.jit:JITFunction._do_compile": watch_compiles,
    "triton.runtime.autotuner:Autotuner._bench": watch_searches,
}


def at_exit():
    _end_searches()

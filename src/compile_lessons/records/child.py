"""Inside the process of one run: execute the snippet's file as ``__main__`` and write down how it ended.

A run has a folder: ``job.json`` says what to run; ``output`` receives file descriptors 1 and 2, ``rich`` the rich
results, ``fault`` the stack of a crash or a kill, and ``result.json`` everything else, written last.
"""

from __future__ import annotations

import atexit
import builtins
import contextlib
import ctypes
import faulthandler
import json
import os
import signal
import sys
import threading
import traceback
import types
import warnings
from dataclasses import asdict, dataclass, field
from pathlib import Path
from types import CodeType, TracebackType
from typing import Any

from compile_lessons.records import compiler_cache
from compile_lessons.show import RESULTS_FILE, flush

#: Marks every process that a run starts, so that those it leaves behind are found.
RUN_VARIABLE = "COMPILE_LESSONS_RUN"
#: Exit status of a run whose result could not be written (EX_IOERR).
CANNOT_WRITE = 74
_LONGEST_VALUE = 200
_LONGEST_MESSAGE = 10_000
_LARGEST_INT = 2**63


@dataclass(frozen=True)
class Job:
    """One run: which file, in which folder of its own, under which environment and limits (seconds, bytes)."""

    name: str
    folder: str
    root: str
    inductor_cache: str
    headers: str
    env: dict[str, str]
    timeout: float
    memory: int
    fork: bool


@dataclass
class Result:
    """How the snippet ended. ``exception`` is its type with module; ``exited`` tells that ``os._exit`` was called."""

    exception: str | None = None
    message: str = ""
    line: int | None = None
    exited: bool = False
    values: dict[str, Any] = field(default_factory=dict)
    warnings: list[str] = field(default_factory=list)


def environment(job: Job) -> dict[str, str]:
    """What a run's environment has beyond the reader's own."""
    return {
        "COLUMNS": "100",
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONUNBUFFERED": "1",
        "PYTHONUTF8": "1",
        "TORCHINDUCTOR_CACHE_DIR": job.inductor_cache,
        "TORCHINDUCTOR_COMPILE_THREADS": "1",
        "TRITON_CACHE_DIR": str(Path(job.inductor_cache) / "triton"),
        RESULTS_FILE: str(Path(job.folder) / "rich"),
        RUN_VARIABLE: job.folder,
        **job.env,
    }


def run(job: Job) -> int:
    """Run the snippet to its end, flush everything, write ``result.json``; returns the exit status."""
    folder = Path(job.folder)
    _redirect(folder / "output")
    fault = open(folder / "fault", "w")  # noqa: SIM115 (faulthandler needs it open until the process ends)
    faulthandler.enable(fault)
    if hasattr(signal, "SIGUSR1"):
        faulthandler.register(signal.SIGUSR1, fault)
    os.chdir(job.root)
    result = Result()
    _note_warnings(result)
    path = str(Path(job.root) / "snippets" / job.name)
    _note_exit(result, folder, path)
    main = _main_module(path)
    try:
        exec(_compiled(path), main.__dict__)
    except BaseException as error:
        _note_exception(result, error, path)
    result.values = _values(main.__dict__)
    threading._shutdown()  # as the interpreter does at its end: stops idle executors, waits for the other threads
    atexit._run_exitfuncs()
    _flush_what_is_open()
    try:
        _write(result, folder)
    except OSError:
        return CANNOT_WRITE
    return 1 if result.exception else 0


def die_with_parent(number: int | None = None) -> None:
    """Linux: have this process get signal ``number`` (SIGKILL, if not given) when the one that started it ends."""
    if sys.platform == "linux":
        PR_SET_PDEATHSIG = 1
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, number or signal.SIGKILL)


def _redirect(output: Path) -> None:
    target = os.open(output, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    nothing = os.open(os.devnull, os.O_RDONLY)
    for source, number in ((nothing, 0), (target, 1), (target, 2)):
        os.dup2(source, number)
    sys.stdin = open(0, closefd=False)  # noqa: SIM115 (a forked child's own, at its end)
    # As in a terminal: a line appears when it is printed, in order with what C++ and child processes write.
    sys.stdout.reconfigure(encoding="utf-8", errors="strict", line_buffering=True, write_through=False)
    sys.stderr.reconfigure(encoding="utf-8", errors="backslashreplace", line_buffering=True, write_through=False)
    if sys.platform == "linux":
        libc, by_line = ctypes.CDLL(None), 1  # _IOLBF
        libc.setvbuf(ctypes.c_void_p.in_dll(libc, "stdout"), None, by_line, 0)


def _flush_what_is_open() -> None:
    """The snippet may have closed its streams."""
    with contextlib.suppress(ValueError, OSError, AttributeError):
        flush()


def _compiled(path: str) -> CodeType:
    return compile(Path(path).read_bytes(), path, "exec", dont_inherit=True)


def _main_module(path: str) -> types.ModuleType:
    """A fresh ``__main__``, as ``python path`` makes it."""
    main = types.ModuleType("__main__")
    main.__dict__.update(__file__=path, __builtins__=builtins)
    sys.modules["__main__"] = main
    sys.argv[:] = [os.path.relpath(path)]
    sys.path.insert(0, os.path.dirname(path))
    return main


def _note_warnings(result: Result) -> None:
    shown = warnings.showwarning

    def showwarning(message: Warning | str, category: type[Warning], *place: Any, **options: Any) -> None:
        result.warnings.append(f"{category.__name__}: {message}")
        shown(message, category, *place, **options)

    warnings.showwarning = showwarning


def _note_exit(result: Result, folder: Path, path: str) -> None:
    """``os._exit`` skips everything that follows; note the line it was called from first."""
    leave, owner = os._exit, os.getpid()

    def noted_exit(status: int) -> None:
        if os.getpid() == owner:
            result.exited, result.line = True, _line_in(traceback.extract_stack(), path)
            result.exception, result.message = "os._exit", str(status)
            _write(result, folder)
        leave(status)

    os._exit = noted_exit


def _note_exception(result: Result, error: BaseException, path: str) -> None:
    error.__traceback__ = _without_own_frames(error.__traceback__)
    kind = type(error)
    result.exception = kind.__qualname__ if kind.__module__ == "builtins" else f"{kind.__module__}.{kind.__qualname__}"
    result.message = _message(error)
    if isinstance(error, SyntaxError) and error.filename == path:
        result.line = error.lineno
    else:
        result.line = _line_in(traceback.extract_tb(error.__traceback__), path)
    _flush_what_is_open()
    if not isinstance(error, SystemExit):
        sys.excepthook(kind, error, error.__traceback__)
    elif error.code is not None and not isinstance(error.code, int):
        print(error.code, file=sys.stderr)


def _message(error: BaseException) -> str:
    try:
        return str(error)[:_LONGEST_MESSAGE]
    except Exception as failure:
        return f"<its text cannot be had: {type(failure).__name__}>"


def _without_own_frames(trace: TracebackType | None) -> TracebackType | None:
    """The reader's traceback begins at the snippet."""
    while trace is not None and trace.tb_frame.f_code.co_filename == __file__:
        trace = trace.tb_next
    return trace


def _line_in(stack: traceback.StackSummary, path: str) -> int | None:
    """The innermost line of the snippet on a stack."""
    lines = [frame.lineno for frame in stack if frame.filename == path]
    return lines[-1] if lines else None


def _values(names: dict[str, Any]) -> dict[str, Any]:
    def kept(name: str, value: Any) -> bool:
        if name.startswith("_") or type(value) not in (int, float, bool, str):
            return False
        return (
            len(value) <= _LONGEST_VALUE if type(value) is str else type(value) is not int or abs(value) < _LARGEST_INT
        )

    return {name: value for name, value in names.items() if kept(name, value)}


def _write(result: Result, folder: Path) -> None:
    text = json.dumps(asdict(result))
    (folder / "result.writing").write_text(text, encoding="utf-8")
    os.replace(folder / "result.writing", folder / "result.json")


def main() -> None:
    """Entry of a spawned run; its one argument is the run's folder."""
    die_with_parent()
    job = Job(**json.loads((Path(sys.argv[1]) / "job.json").read_text(encoding="utf-8")))
    if job.headers:
        compiler_cache.share_precompiled_headers(Path(job.headers))
    leave = os._exit
    leave(run(job))


if __name__ == "__main__":
    main()

"""Inside the process of one run: execute the snippet's file as ``__main__`` and write down how it ended."""

import ast
import atexit
import builtins
import contextlib
import ctypes
import faulthandler
import io
import json
import linecache
import os
import signal
import sys
import threading
import traceback
import types
import warnings
from dataclasses import asdict, dataclass, field
from importlib.machinery import SourceFileLoader
from pathlib import Path
from typing import Any

import msgspec

from compile_lessons.ground.errors import message_of
from compile_lessons.ground.files import write_atomically
from compile_lessons.ground.processes import end_with_starter
from compile_lessons.ground.reading import parse
from compile_lessons.runs import compiler_cache
from compile_lessons.runs.machine import imported_peers
from compile_lessons.show import RESULTS_FILE, flush

#: Marks every process that a run starts, so that those it leaves behind are found.
RUN_VARIABLE = "COMPILE_LESSONS_RUN"
#: Exit status of a run whose result could not be written (EX_IOERR).
CANNOT_WRITE = 74
_LONGEST_VALUE = 200
_LONGEST_MESSAGE = 10_000
_LARGEST_INT = 2**63


@dataclass(frozen=True, kw_only=True)
class Job:
    """One run: which file, in which folder of its own, under which environment and limits (seconds, bytes).

    ``headers`` is the folder of precompiled headers, ``objects`` that of compiled objects to start with; both are empty
    for a snippet that compiles no C++.

    In its folder are ``file``, the job itself, for an interpreter of its own; ``output``, all that is written to file
    descriptors 1 and 2; ``rich``, the rich forms of results, one JSON object a line; ``fault``, the stack of a crash or
    a kill, written by faulthandler; and ``result``, a ``Result``, written last.
    """

    name: str
    folder: str
    root: str
    inductor_cache: str
    headers: str
    objects: str = ""
    env: dict[str, str]
    timeout: float
    memory: int
    fork: bool

    @property
    def file(self) -> Path:
        return Path(self.folder, "job.json")

    @property
    def output(self) -> Path:
        return Path(self.folder, "output")

    @property
    def rich(self) -> Path:
        return Path(self.folder, "rich")

    @property
    def fault(self) -> Path:
        return Path(self.folder, "fault")

    @property
    def result(self) -> Path:
        return Path(self.folder, "result.json")


@dataclass(kw_only=True)
class Result:
    """How the snippet ended. ``exception`` is its type with module, ``notes`` are what was added to it (PEP 678)."""

    exception: str | None = None
    message: str = ""
    notes: list[str] = field(default_factory=list)
    line: int | None = None
    values: dict[str, int | float | bool | str] = field(default_factory=dict)
    packages: dict[str, str] = field(default_factory=dict)
    warnings: list[str] = field(default_factory=list)


def read_result(path: Path) -> Result | None:
    """Return the result of a run; ``None`` for a process that ended before it could write one."""
    return msgspec.convert(json.loads(path.read_bytes()), Result) if path.exists() else None


def job_environment(job: Job) -> dict[str, str]:
    """Return what a run's environment has beyond the reader's own."""
    return {
        "COLUMNS": "100",
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONUNBUFFERED": "1",
        "PYTHONUTF8": "1",
        "TORCHINDUCTOR_CACHE_DIR": job.inductor_cache,
        "TORCHINDUCTOR_COMPILE_THREADS": "1",
        "TRITON_CACHE_DIR": str(Path(job.inductor_cache) / "triton"),
        RESULTS_FILE: str(job.rich),
        RUN_VARIABLE: job.folder,
        **job.env,
    }


def run_job(job: Job) -> int:
    """Run the snippet to its end, flush everything, write the result. Returns the exit status."""
    path = str(Path(job.root, "snippets", job.name))
    sys.dont_write_bytecode = True  # nothing beside the snippets
    _redirect(job.output)
    fault = open(job.fault, "w")  # noqa: SIM115 (faulthandler needs it open until the process ends)
    faulthandler.enable(fault)
    if hasattr(signal, "SIGUSR1"):
        faulthandler.register(signal.SIGUSR1, fault)
    os.chdir(job.root)
    result = Result()
    _note_warnings(result)
    main = _main_module(path)
    try:
        exec(compile(Path(path).read_bytes(), path, "exec", dont_inherit=True), main.__dict__)
    except BaseException as error:
        _note_exception(result, error, path)
    named = main.__dict__.items()
    result.values = {name: value for name, value in named if not name.startswith("_") and _is_value(value)}
    result.packages = imported_peers()
    threading._shutdown()  # type: ignore[attr-defined]  # as the interpreter does at its end: stops idle executors, waits for the other threads
    atexit._run_exitfuncs()
    _flush_what_is_open()
    try:
        write_atomically(job.result, json.dumps(asdict(result)).encode())  # json: msgspec would write NaN as null
    except OSError:
        return CANNOT_WRITE
    return 1 if result.exception else 0


def _redirect(output: Path) -> None:
    target = os.open(output, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    null = os.open(os.devnull, os.O_RDONLY)
    for source, number in ((null, 0), (target, 1), (target, 2)):
        os.dup2(source, number)
    sys.stdin = open(0, closefd=False)  # noqa: SIM115 (a forked child's own, at its end)
    # As in a terminal: a line appears when it is printed, in order with what C++ and child processes write.
    for stream, errors in ((sys.stdout, "strict"), (sys.stderr, "backslashreplace")):
        assert isinstance(stream, io.TextIOWrapper)
        stream.reconfigure(encoding="utf-8", errors=errors, line_buffering=True, write_through=False)
    if sys.platform == "linux":
        libc, by_line = ctypes.CDLL(None), 1  # _IOLBF
        libc.setvbuf(ctypes.c_void_p.in_dll(libc, "stdout"), None, by_line, 0)


def _flush_what_is_open() -> None:
    """The snippet may have closed its streams."""
    with contextlib.suppress(ValueError, OSError, AttributeError):
        flush()


def _main_module(path: str) -> types.ModuleType:
    """A fresh ``__main__``, as ``python path`` makes it."""
    main = types.ModuleType("__main__")
    # The loader counts, too: torch 2.12 asks inspect for the source file of a function that eval made.
    main.__dict__.update(__file__=path, __builtins__=builtins, __loader__=SourceFileLoader("__main__", path))
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


def _note_exception(result: Result, error: BaseException, path: str) -> None:
    while (trace := error.__traceback__) is not None and trace.tb_frame.f_code.co_filename == __file__:
        error.__traceback__ = trace.tb_next  # the reader's traceback begins at the snippet
    kind = type(error)
    result.exception = kind.__qualname__ if kind.__module__ == "builtins" else f"{kind.__module__}.{kind.__qualname__}"
    result.message = message_of(error)[:_LONGEST_MESSAGE]
    result.notes = [str(note)[-_LONGEST_MESSAGE:] for note in getattr(error, "__notes__", ())]
    if not result.message and isinstance(error, AssertionError):
        result.message = _asserted(error)
    if isinstance(error, SyntaxError) and error.filename == path:
        result.line = error.lineno
    else:
        lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == path]
        result.line = lines[-1] if lines else None  # the innermost one
    _flush_what_is_open()
    if not isinstance(error, SystemExit):
        sys.excepthook(kind, error, error.__traceback__)
    elif error.code is not None and not isinstance(error.code, int):
        print(error.code, file=sys.stderr)


def _asserted(error: AssertionError) -> str:
    """Return the statement that raised an ``AssertionError`` without a message, and the values in it that are short:
    ``assert compiles == 2, where compiles = 3``."""
    frame, line = list(traceback.walk_tb(error.__traceback__))[-1]
    for node in ast.walk(parse("".join(linecache.getlines(frame.f_code.co_filename)))):
        if isinstance(node, ast.Assert) and node.lineno <= line <= (node.end_lineno or 0):
            names = dict.fromkeys(part.id for part in ast.walk(node.test) if isinstance(part, ast.Name))
            known = {**frame.f_globals, **frame.f_locals}
            shown = [f"{name} = {known[name]!r}" for name in names if _is_short(known.get(name, ...))]
            return f"assert {ast.unparse(node.test)}" + (f", where {', '.join(shown)}" if shown else "")
    return ""


def _is_short(value: Any) -> bool:
    """Whether a value can be shown in a message: it is None, a short value, or a short list or tuple of these."""
    if isinstance(value, list | tuple):
        return len(value) <= 8 and all(map(_is_short, value))
    return value is None or (_is_value(value) and len(repr(value)) <= 60)


def _is_value(value: Any) -> bool:
    """Whether an object is kept with the record: a bool, a float, an int of 64 bits or a short string."""
    if type(value) is str:
        return len(value) <= _LONGEST_VALUE
    return type(value) in (bool, float) or (type(value) is int and abs(value) < _LARGEST_INT)


def main() -> None:
    """Entry of a run in an interpreter of its own; the one argument is the file of its job."""
    end_with_starter()
    job = msgspec.json.decode(Path(sys.argv[1]).read_bytes(), type=Job)
    if job.headers:
        compiler_cache.share_precompiled_headers(Path(job.headers))
    os._exit(run_job(job))


if __name__ == "__main__":
    main()

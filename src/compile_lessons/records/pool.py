"""The process that runs snippets: it imports torch and compiles one tiny function, then forks for every run.

Reads jobs from standard input, one JSON object a line, runs them after an empty line, and reads the next ones, until
the end. Writes events to standard output, one JSON object a line: ``{"type": "Started", "folder": …}``,
``{"type": "Finished", "folder": …, …}``, and ``{"type": "Idle"}`` when the jobs that were given have ended. Where a
platform has no fork, or a job is not to be forked, the run is a fresh interpreter. Forked runs share the environment of
this process, but for the variables of torch's logs and ``CXX``: torch and Triton read others when they are imported.
"""

from __future__ import annotations

import contextlib
import gc
import os
import signal
import subprocess
import sys
import time
import traceback
import weakref
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Literal

import msgspec

from compile_lessons.ground.processes import (
    Usage,
    adopt_orphans,
    end_descendants,
    end_on_signals,
    end_with_starter,
    fork,
    start,
)
from compile_lessons.records import child, cleanup, compiler_cache
from compile_lessons.records.child import Job
from compile_lessons.records.progress import read_wanted

CAN_FORK = hasattr(os, "fork") and sys.platform != "darwin"  # forking after loading torch is not safe on macOS
#: Bytes of output at which a run is killed.
MOST_OUTPUT = 16 * 2**20
#: What a pool loads before its first job.
WarmUp = Literal["compiler", "eager", "none"]
_POLL = 0.01
_LOOK = 0.5  # a look at all processes costs milliseconds
_STACK = 2.0  # seconds for a process to write where it is; on a busy machine, one of many needs more than half a second


class Started(msgspec.Struct, frozen=True, tag=True):
    """The run in this folder has begun."""

    folder: str


class Finished(msgspec.Struct, frozen=True, tag=True, kw_only=True):
    """How the process of the run in this folder ended.

    ``status`` is its exit status (minus the signal it died of), ``peak_memory`` in bytes, ``duration`` in seconds of
    wall time. ``killed`` is why it was killed, ``left`` the processes it left behind.
    """

    folder: str
    status: int = 0
    peak_memory: int = 0
    duration: float = 0.0
    killed: str | None = None
    left: list[str] = []


class Idle(msgspec.Struct, frozen=True, tag=True):
    """The jobs that were given have ended."""


class RunningJob:
    """A run under way."""

    def __init__(self, job: Job) -> None:
        self.job = job
        self.killed: str | None = None
        self.started = time.monotonic()
        self.looked = self.started
        self.usage: Usage | None = None
        self.peak_memory = 0
        self.popen: subprocess.Popen[bytes] | None = None
        if job.objects:  # now, and not before the first run: equal kernels of the runs that have ended are among them
            compiler_cache.link_objects(Path(job.objects), Path(job.inductor_cache))
        self.pid = self._fork() if job.fork else self._spawn()

    def _fork(self) -> int:
        sys.stdout.flush()
        sys.stderr.flush()
        if pid := fork():
            return pid
        status = 70  # EX_SOFTWARE: our own code failed before the snippet's began
        try:
            os.setsid()
            # What this process has set up, such as a temporary folder, is not a fork's to undo at its end.
            for finalizer in weakref.finalize._registry.values():  # type: ignore[attr-defined]
                finalizer.atexit = False
            signal.signal(signal.SIGINT, signal.default_int_handler)
            signal.signal(signal.SIGTERM, signal.SIG_DFL)
            signal.signal(signal.SIGUSR2, signal.SIG_DFL)
            os.environ.update(child.job_environment(self.job))
            if names := self.job.env.keys() & compiler_cache.READ_AGAIN:
                compiler_cache.read_variables(names)
            status = child.run_job(self.job)
        except BaseException:  # of our own code, or of a hook that the snippet has set
            traceback.print_exc()
        finally:
            os._exit(status)

    def _spawn(self) -> int:
        self.popen = start(
            [sys.executable, "-P", "-m", "compile_lessons.records.child", str(self.job.file)],
            env={**os.environ, **child.job_environment(self.job)},
            stdin=subprocess.DEVNULL,
            stdout=sys.stderr,
            start_new_session=True,
        )
        return self.popen.pid

    def poll(self) -> Finished | None:
        """Look once: kill the run if it passed a limit. Returns how it ended, once it has."""
        now = time.monotonic()
        ended = self._wait()
        if ended is None:
            self._enforce_limits(now)
            return None
        status, peak_memory = ended
        if self.job.objects and self.killed is None and status >= 0:  # before the next run starts
            compiler_cache.link_objects(Path(self.job.inductor_cache), Path(self.job.objects))
        return Finished(
            folder=self.job.folder,
            status=status,
            peak_memory=max(peak_memory, self.peak_memory),
            duration=now - self.started,
            killed=self.killed,
            left=cleanup.end_leftovers(self.pid, self.job.folder),
        )

    def _wait(self) -> tuple[int, int] | None:
        """Return exit status and peak memory, once the process has ended."""
        if self.popen and not hasattr(os, "wait4"):
            code = self.popen.poll()
            return None if code is None else (code, 0)
        pid, status, usage = os.wait4(self.pid, os.WNOHANG)
        peak_memory = usage.ru_maxrss * (1 if sys.platform == "darwin" else 1024)
        return (os.waitstatus_to_exitcode(status), peak_memory) if pid else None

    def _enforce_limits(self, now: float) -> None:
        if self.killed or now - self.looked < _LOOK:
            return
        self.looked = now
        self.usage = self.usage or Usage(self.pid)
        self.usage.look()
        self.peak_memory = max(self.peak_memory, self.usage.memory)
        output = self.job.output
        if over := self.usage.limit_over(self.job.timeout):
            self.kill(over)
        elif self.usage.memory > self.job.memory:
            self.kill("memory")
        elif output.exists() and output.stat().st_size > MOST_OUTPUT:
            self.kill("output")

    def kill(self, why: str) -> None:
        """Ask the process for its stack, then end it and everything it started."""
        self.killed = why
        with contextlib.suppress(ProcessLookupError):
            if hasattr(signal, "SIGUSR1"):
                os.kill(self.pid, signal.SIGUSR1)
                until = time.monotonic() + _STACK
                while time.monotonic() < until and not (self.job.fault.exists() and self.job.fault.stat().st_size):
                    time.sleep(_POLL)
        cleanup.kill_run(self.pid, self.job.folder)


def serve(
    jobs: list[Job],
    at_once: int,
    emit: Callable[[Started | Finished], None],
    wanted: Callable[[], list[str]] = lambda: [],
) -> None:
    """Run jobs, ``at_once`` at a time, first those of the snippets that ``wanted`` names when one is chosen; whatever
    happens, leave no process behind."""
    waiting, running = list(jobs), list[RunningJob]()
    try:
        while running or any(not job.wanted_only for job in waiting):
            while waiting and len(running) < at_once and (job := _next(waiting, wanted())):
                waiting.remove(job)
                running.append(RunningJob(job))
                emit(Started(job.folder))
            time.sleep(_POLL)
            for run in list(running):
                if (finished := run.poll()) is not None:
                    running.remove(run)
                    emit(finished)
    finally:
        end_descendants()


def _next(waiting: list[Job], wanted: list[str]) -> Job | None:
    """Return the first job of those whose snippet stands first in ``wanted``, or the first one that needs no reader."""
    places = {name: place for place, name in enumerate(wanted)}
    chosen = [job for job in waiting if job.name in places]
    others = (job for job in waiting if not job.wanted_only)
    return min(chosen, key=lambda job: places[job.name]) if chosen else next(others, None)


def main() -> None:
    """Entry: ``pool AT_ONCE CACHE_FOLDER SCRATCH_FOLDER WARM_UP`` with WARM_UP a ``WarmUp``."""
    at_once, cache, scratch, warm = int(sys.argv[1]), Path(sys.argv[2]), Path(sys.argv[3]), sys.argv[4]
    end_on_signals()
    adopt_orphans()
    end_with_starter(signal.SIGINT)
    events = os.fdopen(os.dup(1), "wb", buffering=0)
    os.dup2(2, 1)  # whatever torch prints must not mix with the events

    if warm != "none":
        try:
            warm_up_pool(cache, scratch / "warm-up", compiler=warm == "compiler")
        except Exception:  # such as a compiler that does not work: every snippet that needs it says so
            traceback.print_exc()

    def emit(event: Started | Finished | Idle) -> None:
        events.write(msgspec.json.encode(event) + b"\n")

    jobs = list[Job]()
    for line in sys.stdin.buffer:
        if line.strip():
            jobs.append(msgspec.json.decode(line, type=Job))
        else:
            serve(jobs, at_once, emit, partial(read_wanted, cache))
            emit(Idle())
            jobs.clear()


def warm_up_pool(cache: Path, own: Path, compiler: bool) -> None:
    """Compile one tiny function in the folder ``own``; headers and objects are shared through ``cache``.

    A signal meanwhile ends the process, and no half of a header stays.
    """
    began = time.time()
    end_on_signals(lambda: compiler_cache.discard_headers(cache / "headers", began))
    try:
        _compile_tiny(cache, own, compiler)
    finally:
        end_on_signals()


def _compile_tiny(cache: Path, own: Path, compiler: bool) -> None:
    os.environ["TORCHINDUCTOR_COMPILE_THREADS"] = "1"  # Inductor's thread pool does not survive a fork
    os.environ["TORCHINDUCTOR_CACHE_DIR"] = str(own)
    if compiler:
        compiler_cache.share_precompiled_headers(cache / "headers")
        compiler_cache.link_objects(cache / "objects", own)
    compiler_cache.warm_up(compiler)
    import compile_lessons.compare
    import compile_lessons.forms.summary  # noqa: F401 (here, as they import torch: many snippets call capture)

    compiler_cache.link_objects(own, cache / "objects")
    gc.collect()
    gc.freeze()  # the objects of this process are not a run's to collect


if __name__ == "__main__":
    main()

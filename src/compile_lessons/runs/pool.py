"""Runs of Python files: each is a fork of this process, which has torch loaded, with limits and a folder of its own.

Where a platform has no fork, or a job is not to be forked, the run is a fresh interpreter. Forked runs share the
environment of this process, but for the variables of torch's logs and ``CXX``: torch and Triton read others when they
are imported.
"""

import contextlib
import gc
import os
import queue
import subprocess
import sys
import time
import weakref
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Literal

import msgspec
import psutil

from compile_lessons.ground import processes
from compile_lessons.runs import child, compiler_cache
from compile_lessons.runs.child import RUN_VARIABLE, Job

CAN_FORK = hasattr(os, "fork") and sys.platform != "darwin"  # forking after loading torch is not safe on macOS
#: Bytes of output at which a run is killed.
MOST_OUTPUT = 16 * 2**20
#: What a pool loads before its first job.
WarmUp = Literal["compiler", "eager", "none"]
_POLL, _NEXT_JOB = 0.01, 0.5  # seconds from one look at the runs, or for a job, to the next
_GRACE = 0.5  # seconds for a helper process that ends when the snippet has ended, such as multiprocessing's tracker


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


class RunningJob:
    """A run under way."""

    def __init__(self, job: Job) -> None:
        self.job = job
        self.killed: str | None = None
        self.started = time.monotonic()
        self.popen: subprocess.Popen[bytes] | None = None
        if job.objects:  # now, and not before the first run: equal kernels of the runs that have ended are among them
            compiler_cache.link_objects(Path(job.objects), Path(job.inductor_cache))
        self.pid = processes.fork_for(self._run, in_session=True) if job.fork else self._spawn()
        self.usage = processes.Usage(self.pid)

    def _run(self) -> int:
        # What this process has set up, such as a temporary folder, is not a fork's to undo at its end.
        for finalizer in weakref.finalize._registry.values():  # type: ignore[attr-defined]
            finalizer.atexit = False
        os.environ.update(child.job_environment(self.job))
        if names := self.job.env.keys() & compiler_cache.READ_AGAIN:
            compiler_cache.read_variables(names)
        return child.run_job(self.job)

    def _spawn(self) -> int:
        self.popen = processes.start(
            [sys.executable, "-P", "-m", "compile_lessons.runs.child", str(self.job.file)],
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
            self._enforce_limits()
            return None
        status, peak_memory = ended
        if self.job.objects and self.killed is None and status >= 0:  # before the next run starts
            compiler_cache.link_objects(Path(self.job.inductor_cache), Path(self.job.objects))
        return Finished(
            folder=self.job.folder,
            status=status,
            peak_memory=max(peak_memory, self.usage.most_memory),
            duration=now - self.started,
            killed=self.killed,
            left=self._end_leftovers(),
        )

    def _wait(self) -> tuple[int, int] | None:
        """Return exit status and peak memory, once the process has ended."""
        if self.popen and not hasattr(os, "wait4"):
            code = self.popen.poll()
            return None if code is None else (code, 0)
        pid, status, usage = os.wait4(self.pid, os.WNOHANG)
        peak_memory = usage.ru_maxrss * (1 if sys.platform == "darwin" else 1024)
        return (os.waitstatus_to_exitcode(status), peak_memory) if pid else None

    def _enforce_limits(self) -> None:
        if self.killed:
            return
        output = self.job.output
        if passed := self.usage.passed(self.job.timeout, self.job.memory):
            self.kill(passed)
        elif output.exists() and output.stat().st_size > MOST_OUTPUT:
            self.kill("output")

    def kill(self, why: str) -> None:
        """Ask the process for its stack, then end it and everything it started."""
        self.killed = why
        processes.ask_for_stack(self.pid, self.job.fault)
        processes.kill([*processes.family(self.pid), *self._processes()])

    def _end_leftovers(self) -> list[str]:
        """Kill what outlived the run by more than a moment. Returns their names."""
        _, alive = psutil.wait_procs(list(self._processes()), timeout=_GRACE)
        names = []
        for process in alive:
            with contextlib.suppress(psutil.NoSuchProcess):
                names.append(f"{process.name()} (pid {process.pid})")
        processes.kill(alive)
        return names

    def _processes(self) -> Iterator[psutil.Process]:
        """Yield the processes of the run: in its session, with its mark in their environment (whatever it started), or
        with a file of its folder open (forks in a session of their own).

        They are below this process, which adopts orphans on Linux: none escapes, whatever it calls. On other systems
        they are anywhere.
        """
        linux, folder = sys.platform == "linux", self.job.folder
        for process in psutil.Process().children(recursive=True) if linux else psutil.process_iter():
            with contextlib.suppress(psutil.Error, OSError):
                if process.pid == os.getpid() or process.status() == psutil.STATUS_ZOMBIE:
                    continue
                if (
                    (hasattr(os, "getsid") and os.getsid(process.pid) == self.pid)
                    or process.environ().get(RUN_VARIABLE) == folder
                    or any(file.path.startswith(folder + os.sep) for file in process.open_files())
                ):
                    yield process


def serve(jobs: queue.SimpleQueue[Job | None], emit: Callable[[Started | Finished], None]) -> None:
    """Run each job as soon as it comes, until ``None`` comes; whatever happens, leave no process behind."""
    running, more = list[RunningJob](), True
    try:
        while running or more:
            with contextlib.suppress(queue.Empty):
                if job := jobs.get(timeout=_POLL if running else _NEXT_JOB):
                    running.append(RunningJob(job))
                    emit(Started(job.folder))
                more = job is not None
            for run in list(running):
                if (finished := run.poll()) is not None:
                    running.remove(run)
                    emit(finished)
    finally:
        processes.end_descendants()


def warm_up_pool(cache: Path, own: Path, compiler: bool) -> None:
    """Compile one tiny function in the folder ``own``; headers and objects are shared through ``cache``.

    A signal meanwhile ends the process, and no half of a header stays.
    """
    began = time.time()
    processes.end_on_signals(lambda: compiler_cache.discard_headers(cache / "headers", began))
    try:
        _compile_tiny(cache, own, compiler)
    finally:
        processes.end_on_signals()


def _compile_tiny(cache: Path, own: Path, compiler: bool) -> None:
    os.environ["TORCHINDUCTOR_COMPILE_THREADS"] = "1"  # Inductor's thread pool does not survive a fork
    os.environ["TORCHINDUCTOR_CACHE_DIR"] = str(own)
    if compiler:
        compiler_cache.share_precompiled_headers(cache / "headers")
        compiler_cache.link_objects(cache / "objects", own)
    compiler_cache.warm_up(compiler)
    import compile_lessons.api.compare
    import compile_lessons.reports.summary  # noqa: F401 (here, as they import torch: many snippets call capture)

    compiler_cache.link_objects(own, cache / "objects")
    gc.collect()
    gc.freeze()  # the objects of this process are not a run's to collect

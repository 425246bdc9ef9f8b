"""The process that runs snippets: it imports torch and compiles one tiny function, then forks for every run.

Reads jobs from standard input, one JSON object a line, until its end. Writes an event a line to standard output:
``{"ready": ...}``, ``{"started": folder}`` and ``{"finished": folder, ...}``. Where a platform has no fork, or a
job declares environment variables (torch reads many of them when it is imported), the run is a fresh interpreter.

On Linux the pool is the "subreaper" of all it starts: a process whose parent has ended becomes the pool's child, so
none escapes, whatever it calls.
"""

from __future__ import annotations

import contextlib
import ctypes
import gc
import json
import os
import signal
import subprocess
import sys
import time
import traceback
import weakref
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import psutil

from compile_lessons.records import child, compiler_cache
from compile_lessons.records.child import Job

CAN_FORK = hasattr(os, "fork") and sys.platform != "darwin"  # forking after loading torch is not safe on macOS
_MOST_OUTPUT = 16 * 2**20
_POLL = 0.01
_MEMORY_POLL = 0.1
#: Exit status after a signal, as a shell gives it for Ctrl-C.
INTERRUPTED = 130
_GRACE = 0.5  # seconds for a helper process that ends when the snippet has ended, such as multiprocessing's tracker


@dataclass
class Ended:
    """How a run's process ended: exit status (minus the signal it died of), peak memory in bytes, wall seconds, why it
    was killed, what it left behind."""

    finished: str
    status: int
    peak_memory: int
    duration: float
    killed: str | None
    left: list[str]


class Run:
    """A run under way."""

    def __init__(self, job: Job) -> None:
        self.job = job
        self.killed: str | None = None
        self.started = time.monotonic()
        self.looked_at_memory = self.started
        self.peak_memory = 0
        self.popen: subprocess.Popen[bytes] | None = None
        self.pid = self._fork() if job.fork else self._spawn()

    def _fork(self) -> int:
        sys.stdout.flush()
        sys.stderr.flush()
        if pid := os.fork():
            return pid
        leave = os._exit
        status = 70  # EX_SOFTWARE: our own code failed before the snippet's began
        try:
            os.setsid()
            child.die_with_parent()
            signal.signal(signal.SIGINT, signal.default_int_handler)
            signal.signal(signal.SIGTERM, signal.SIG_DFL)
            os.environ.update(child.environment(self.job))
            status = child.run(self.job)
        finally:
            leave(status)

    def _spawn(self) -> int:
        self.popen = subprocess.Popen(
            [sys.executable, "-P", "-m", "compile_lessons.records.child", self.job.folder],
            env={**os.environ, **child.environment(self.job)},
            stdin=subprocess.DEVNULL,
            stdout=sys.stderr,
            start_new_session=True,
        )
        return self.popen.pid

    def poll(self) -> Ended | None:
        """Look once: kill it if it passed a limit; what became of it once it has ended."""
        now = time.monotonic()
        ended = self._wait()
        if ended is None:
            self._enforce_limits(now)
            return None
        status, peak = ended
        return Ended(
            self.job.folder, status, max(peak, self.peak_memory), now - self.started, self.killed, self._sweep()
        )

    def _wait(self) -> tuple[int, int] | None:
        if not hasattr(os, "wait4"):
            code = self.popen.poll()
            return None if code is None else (code, 0)
        pid, status, usage = os.wait4(self.pid, os.WNOHANG)
        peak = usage.ru_maxrss * (1 if sys.platform == "darwin" else 1024)
        return (os.waitstatus_to_exitcode(status), peak) if pid else None

    def _enforce_limits(self, now: float) -> None:
        if self.killed:
            return
        if now - self.started > self.job.timeout:
            self.kill("timeout")
        elif now - self.looked_at_memory > _MEMORY_POLL:
            self.looked_at_memory = now
            used = _resident(self.pid)
            self.peak_memory = max(self.peak_memory, used)
            output = Path(self.job.folder) / "output"
            if used > self.job.memory:
                self.kill("memory")
            elif output.exists() and output.stat().st_size > _MOST_OUTPUT:
                self.kill("output")

    def kill(self, why: str) -> None:
        """Ask the process for its stack, then end it and everything it started."""
        self.killed = why
        with contextlib.suppress(ProcessLookupError):
            if hasattr(signal, "SIGUSR1"):
                fault = Path(self.job.folder) / "fault"
                os.kill(self.pid, signal.SIGUSR1)
                until = time.monotonic() + 0.5
                while time.monotonic() < until and not (fault.exists() and fault.stat().st_size):
                    time.sleep(_POLL)
        for process in [*_family(self.pid), *_marked(self.job.folder, self.pid)]:
            with contextlib.suppress(psutil.NoSuchProcess):
                process.kill()

    def _sweep(self) -> list[str]:
        """End processes that outlived the run by more than a moment; their names."""
        _, alive = psutil.wait_procs(list(_marked(self.job.folder, self.pid)), timeout=_GRACE)
        left = []
        for process in alive:
            with contextlib.suppress(psutil.NoSuchProcess):
                left.append(f"{process.name()} (pid {process.pid})")
                process.kill()
        return left


def _family(pid: int) -> list[psutil.Process]:
    try:
        process = psutil.Process(pid)
        return [process, *process.children(recursive=True)]
    except psutil.NoSuchProcess:
        return []


def _resident(pid: int) -> int:
    total = 0
    for process in _family(pid):
        with contextlib.suppress(psutil.NoSuchProcess):
            total += process.memory_info().rss
    return total


def _marked(folder: str, session: int | None = None) -> Iterator[psutil.Process]:
    """Processes of a run: in its session, with its mark in their environment (whatever it started), or with a file of
    its folder open (forks in a session of their own)."""
    for process in _candidates():
        with contextlib.suppress(psutil.Error, OSError):
            if process.pid == os.getpid() or process.status() == psutil.STATUS_ZOMBIE:
                continue
            in_session = session is not None and hasattr(os, "getsid") and os.getsid(process.pid) == session
            if (
                in_session
                or process.environ().get(child.RUN_VARIABLE) == folder
                or any(file.path.startswith(folder + os.sep) for file in process.open_files())
            ):
                yield process


def _candidates() -> Iterable[psutil.Process]:
    """Where processes of a run can be: below the pool, which adopts orphans on Linux; anywhere on other systems."""
    return psutil.Process().children(recursive=True) if sys.platform == "linux" else psutil.process_iter()


def serve(jobs: list[Job], at_once: int, emit: Callable[[dict[str, Any]], None]) -> None:
    """Run jobs, ``at_once`` at a time; whatever happens, leave no process behind."""
    waiting, running = list(reversed(jobs)), []
    try:
        while waiting or running:
            while waiting and len(running) < at_once:
                running.append(Run(waiting.pop()))
                emit({"started": running[-1].job.folder})
            time.sleep(_POLL)
            for run in list(running):
                if (ended := run.poll()) is not None:
                    running.remove(run)
                    emit(asdict(ended))
    finally:
        end_descendants()


def end_descendants() -> None:
    """Kill every process this one has started, and what those have started, until there is none."""
    me = psutil.Process()
    while alive := [process for process in me.children(recursive=True) if process.status() != psutil.STATUS_ZOMBIE]:
        for process in alive:
            with contextlib.suppress(psutil.NoSuchProcess):
                process.kill()
        psutil.wait_procs(alive, timeout=1)


def _adopt_orphans() -> None:
    """Linux: become the parent of every descendant whose own parent ends."""
    if sys.platform == "linux":
        PR_SET_CHILD_SUBREAPER = 36
        ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1)


def main() -> None:
    """Entry: ``pool AT_ONCE CACHE_FOLDER SCRATCH_FOLDER WARM_UP`` with WARM_UP one of compiler, eager, none."""
    at_once, cache, scratch, warm = int(sys.argv[1]), Path(sys.argv[2]), Path(sys.argv[3]), sys.argv[4]
    warming = warm != "none"
    began = time.time()

    def stop(*_: object) -> None:
        """End here and now: an exception could be lost in a destructor, or in the code of whoever is interrupted."""
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        end_descendants()
        if warming:
            compiler_cache.discard_headers(cache / "headers", began)
        os._exit(INTERRUPTED)

    signal.signal(signal.SIGINT, stop)
    signal.signal(signal.SIGTERM, stop)
    _adopt_orphans()
    child.die_with_parent(signal.SIGINT)
    events = os.fdopen(os.dup(1), "w", buffering=1)
    os.dup2(2, 1)  # whatever torch prints must not mix with the events

    def emit(event: dict[str, Any]) -> None:
        print(json.dumps(event), file=events, flush=True)

    if warming:
        print("loading torch and warming up its compiler …", file=sys.stderr, flush=True)
        try:
            _warm_up(cache, scratch / "warm-up", compiler=warm == "compiler")
        except Exception:  # such as a compiler that does not work: every snippet that needs it says so
            traceback.print_exc()
        warming = False
    emit({"ready": True})
    serve([Job(**json.loads(line)) for line in sys.stdin], at_once, emit)


def _warm_up(cache: Path, own: Path, compiler: bool) -> None:
    os.environ["TORCHINDUCTOR_COMPILE_THREADS"] = "1"  # Inductor's thread pool does not survive a fork
    os.environ["TORCHINDUCTOR_CACHE_DIR"] = str(own)
    if compiler:
        compiler_cache.share_precompiled_headers(cache / "headers")
        compiler_cache.link_objects(cache / "objects", own)
    compiler_cache.warm_up(compiler)
    compiler_cache.collect_objects(own, cache / "objects")
    _ready_to_fork()


def _ready_to_fork() -> None:
    """Make forks cheap: what torch would undo at exit is not a run's to undo, its objects not a run's to collect."""
    for finalizer in weakref.finalize._registry.values():
        finalizer.atexit = False
    gc.collect()
    gc.freeze()


if __name__ == "__main__":
    main()

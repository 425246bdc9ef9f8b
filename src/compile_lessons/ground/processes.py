"""Every process that the package starts, by a fork or anew: it ends when the one that started it does, or at a limit.

On Linux the kernel sees to that (``PR_SET_PDEATHSIG``), also where the parent is killed; on other systems a thread
waits for the parent's end. A process may be started just before its parent ends, so each one also looks whether the
parent is still the one that started it.

``Usage`` tells what a process and those below it use, and which limit that has passed.
"""

import _thread
import ctypes
import math
import os
import signal
import subprocess
import sys
import threading
import time
import traceback
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any, Literal

import psutil

from compile_lessons.ground.printing import say

#: Exit status after a signal, as a shell gives it for Ctrl-C.
INTERRUPTED = 130
#: Tells a process that is started anew who has started it.
_PARENT = "COMPILE_LESSONS_PARENT"
_LINUX = sys.platform == "linux"
# Looked up now: after a fork, a lock of the loader could be one that nobody frees.
_libc = ctypes.CDLL(None) if _LINUX else None
#: A process that used less than this share of one processor since the last look was idle.
_IDLE = 0.05
#: Seconds from one look at what a process uses to the next. A look at all processes costs milliseconds.
_LOOK = 0.5
#: Seconds that a process has to write where it is: on a busy machine, one of many needs more than half a second.
_STACK = 2.0
#: Exit status of a fork whose work raised an exception (EX_SOFTWARE).
_FAILED = 70
_exit_now = os._exit  # the reader's code may call it, and is watched
#: The signals that were blocked when this process began. The user's code begins with the same.
BLOCKED = signal.pthread_sigmask(signal.SIG_BLOCK, ()) if hasattr(signal, "pthread_sigmask") else set()


def fork() -> int:
    """``os.fork()``, with a child that is killed when this process ends.

    On Linux that is when the thread ends that has called this.
    """
    parent = os.getpid()
    pid = os.fork()
    if pid == 0:
        end_with(parent)
    return pid


def fork_for(work: Callable[[], int], in_session: bool = False) -> int:
    """Fork a process that does some work, and ends with the status that this returns. Return its number.

    In a session of its own, signals act on it as on any program of Python's.
    """
    sys.stdout.flush()  # what is buffered would be written twice
    sys.stderr.flush()
    if pid := fork():
        return pid
    status = _FAILED
    try:
        if in_session:
            os.setsid()
            signal.signal(signal.SIGINT, signal.default_int_handler)
            signal.signal(signal.SIGTERM, signal.SIG_DFL)
            signal.signal(signal.SIGUSR2, signal.SIG_DFL)
        status = work()
    except BaseException:  # of our own code, or of a hook that the reader's code has set
        say(traceback.format_exc(), error=True)
    finally:
        _exit_now(status)


def start(command: Sequence[str], env: Mapping[str, str] | None = None, **options: Any) -> subprocess.Popen[bytes]:
    """``subprocess.Popen`` for a command of this package, which calls ``end_with_starter``."""
    env = os.environ if env is None else env
    return subprocess.Popen(command, env={**env, _PARENT: str(os.getpid())}, **options)


def start_program(command: Sequence[str], **options: Any) -> subprocess.Popen[bytes]:
    """``subprocess.Popen`` for a program of the user's, from a process without other threads.

    On Linux the program, but not what it starts itself, is killed when this process ends; elsewhere it goes on.
    """
    begin = partial(_begin_program, os.getpid()) if os.name == "posix" else None
    return subprocess.Popen(command, preexec_fn=begin, **options)


def _begin_program(parent: int) -> None:
    if _LINUX:
        end_with(parent)
    if callable(signal.getsignal(signal.SIGINT)):
        signal.signal(signal.SIGINT, signal.SIG_DFL)  # Python's handler raises an exception, which nothing catches here
    signal.pthread_sigmask(signal.SIG_SETMASK, BLOCKED)


def end_with_starter(number: signal.Signals | None = None) -> None:
    """End this process with the one that has called ``start`` for it, as ``end_with`` does; if none has, do nothing."""
    if parent := os.environ.pop(_PARENT, None):
        end_with(int(parent), number)


def end_with(parent: int, number: signal.Signals | None = None) -> None:
    """Have this process killed when its parent ends.

    With a ``number`` this process gets that signal instead, whose handler then ends it. Without one the parent's thread
    that has started it has to live as long as the parent: Linux tells of the end of a thread.
    """

    def end() -> None:
        if number is None:
            os.kill(os.getpid(), signal.SIGKILL)
        else:
            signal.raise_signal(number)

    def end_if_alone(*_: object) -> None:
        if os.getppid() != parent:
            end()

    if not _LINUX:
        threading.Thread(target=_wait_for, args=(parent, number), daemon=True).start()
        return
    if number is not None:
        signal.signal(signal.SIGUSR2, end_if_alone)
    PR_SET_PDEATHSIG = 1
    _tell_kernel(PR_SET_PDEATHSIG, signal.SIGKILL if number is None else signal.SIGUSR2)
    end_if_alone()


def _wait_for(parent: int, number: signal.Signals | None) -> None:
    """End this process after its parent, from a thread."""
    with suppress(psutil.NoSuchProcess):
        psutil.Process(parent).wait()
    if number is None:
        os._exit(1)
    if hasattr(signal, "pthread_kill"):
        signal.pthread_kill(threading.main_thread().ident or 0, number)
    else:
        _thread.interrupt_main(number)


def adopt_orphans() -> None:
    """Linux: become the parent of every descendant whose own parent ends, so that none escapes, whatever it calls."""
    if _LINUX:
        PR_SET_CHILD_SUBREAPER = 36
        _tell_kernel(PR_SET_CHILD_SUBREAPER, 1)


def _tell_kernel(option: int, value: int) -> None:
    assert _libc is not None
    _libc.prctl(option, value)


def end_on_signals(before: Callable[[], None] = lambda: None) -> None:
    """Have Ctrl-C and SIGTERM end this process here and now, with what it has started and after ``before``.

    An exception could be lost in a destructor, or in the code of whoever is interrupted.
    """

    def stop(*_: object) -> None:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        end_descendants()
        before()
        os._exit(INTERRUPTED)

    signal.signal(signal.SIGINT, stop)
    signal.signal(signal.SIGTERM, stop)


def end_descendants() -> None:
    """Kill every process this one has started, and what those have started, until there is none."""
    me = psutil.Process()
    while alive := [process for process in me.children(recursive=True) if process.status() != psutil.STATUS_ZOMBIE]:
        kill(alive)
        psutil.wait_procs(alive, timeout=1)


def kill(processes: Sequence[psutil.Process]) -> None:
    """Kill these processes; one that has ended is passed over."""
    for process in processes:
        with suppress(psutil.NoSuchProcess):
            process.kill()


def family(pid: int) -> list[psutil.Process]:
    """Return a process and those below it; nothing if it has ended."""
    try:
        process = psutil.Process(pid)
        return [process, *process.children(recursive=True)]
    except psutil.NoSuchProcess:
        return []


def ask_for_stack(pid: int, file: Path) -> None:
    """Have faulthandler in a process, which listens to SIGUSR1, write into ``file`` where it is; wait for a moment."""
    if hasattr(signal, "SIGUSR1"):
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGUSR1)
            until = time.monotonic() + _STACK
            while time.monotonic() < until and not (file.exists() and file.stat().st_size):
                time.sleep(0.01)


class Usage:
    """What a process and those below it have used since the first ``look``, as of the last one.

    ``processor`` is their processor time and ``idle`` the time in which they used none, in seconds: they slept, or
    waited for something. Time in which they wanted a processor and others had it is neither. ``memory`` is their
    resident memory in bytes, and ``most_memory`` the most that a look has found.
    """

    def __init__(self, pid: int) -> None:
        self.processor = self.idle = 0.0
        self.memory = self.most_memory = 0
        self._pid = pid
        self._began = self._looked = time.monotonic()
        self._before: float | None = None

    def passed(self, seconds: float, memory: float = math.inf) -> Literal["processor", "idle", "memory"] | None:
        """Look, unless that was a moment ago, and return the limit that was passed, in seconds or bytes.

        Processor time counts from as many seconds on, as several processors can do much in a moment.
        """
        if time.monotonic() - self._looked >= _LOOK:
            self.look()
        if self.idle > seconds:
            return "idle"
        if min(self.processor, self._looked - self._began) > seconds:
            return "processor"
        return "memory" if self.memory > memory else None

    def look(self) -> None:
        """Read anew what they use."""
        used, self.memory, wants = self._read()
        self.most_memory = max(self.most_memory, self.memory)
        now = time.monotonic()
        if self._before is None:
            self._before, self._began, self._looked = used, now, now
            return
        passed, self._looked = now - self._looked, now
        if not wants and used - self._before - self.processor < _IDLE * passed:
            self.idle += passed
        # What an orphan has used is nobody's after its end.
        self.processor = max(self.processor, used - self._before)

    def _read(self) -> tuple[float, int, bool]:
        """Return processor time, memory, and whether a process wants a processor or a disk."""
        used, memory, wants = 0.0, 0, False
        for process in family(self._pid):
            with suppress(psutil.Error), process.oneshot():
                times = process.cpu_times()
                used += times.user + times.system
                used += getattr(times, "children_user", 0.0) + getattr(times, "children_system", 0.0)  # not on Windows
                memory += process.memory_info().rss
                wants |= process.status() in (psutil.STATUS_RUNNING, psutil.STATUS_DISK_SLEEP)
        return used, memory, wants

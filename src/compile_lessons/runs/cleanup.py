"""The processes of a run: how none outlives it.

On Linux the pool is the "subreaper" of all it starts: a process whose parent has ended becomes the pool's child, so
none escapes, whatever it calls.
"""

import contextlib
import os
import sys
from collections.abc import Iterator

import psutil

from compile_lessons.ground.processes import family, kill
from compile_lessons.runs.child import RUN_VARIABLE

_GRACE = 0.5  # seconds for a helper process that ends when the snippet has ended, such as multiprocessing's tracker


def kill_run(pid: int, folder: str) -> None:
    """Kill the process of a run and everything that it started."""
    kill([*family(pid), *_processes_of(pid, folder)])


def end_leftovers(pid: int, folder: str) -> list[str]:
    """Kill what outlived the run by more than a moment. Returns their names."""
    _, alive = psutil.wait_procs(list(_processes_of(pid, folder)), timeout=_GRACE)
    names = []
    for process in alive:
        with contextlib.suppress(psutil.NoSuchProcess):
            names.append(f"{process.name()} (pid {process.pid})")
    kill(alive)
    return names


def _processes_of(pid: int, folder: str) -> Iterator[psutil.Process]:
    """Processes of a run: in its session, with its mark in their environment (whatever it started), or with a file of
    its folder open (forks in a session of their own)."""
    # Below the pool, which adopts orphans on Linux; anywhere on other systems.
    linux = sys.platform == "linux"
    for process in psutil.Process().children(recursive=True) if linux else psutil.process_iter():
        with contextlib.suppress(psutil.Error, OSError):
            if process.pid == os.getpid() or process.status() == psutil.STATUS_ZOMBIE:
                continue
            if (
                (hasattr(os, "getsid") and os.getsid(process.pid) == pid)
                or process.environ().get(RUN_VARIABLE) == folder
                or any(file.path.startswith(folder + os.sep) for file in process.open_files())
            ):
                yield process

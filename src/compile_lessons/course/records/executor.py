"""Start the pools that snippets run in, give them their jobs, and pass on their events."""

from __future__ import annotations

import contextlib
import os
import queue
import re
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import msgspec

from compile_lessons.course.records.plan import Plan
from compile_lessons.course.records.progress import Request
from compile_lessons.course.records.store import StoreError, note_owner
from compile_lessons.ground import processes
from compile_lessons.ground.printing import say
from compile_lessons.ground.project import Project
from compile_lessons.runs import compiler_cache
from compile_lessons.runs.child import Job
from compile_lessons.runs.machine import cxx_compiler
from compile_lessons.runs.pool import Finished, Started, WarmUp

#: What someone has set in their shell must not end up in a record: a snippet declares what it needs. With ``CI`` pytest
#: prints more, and Inductor lowers some operators in another way.
_NOT_INHERITED = re.compile(r"(TORCH|PYTORCH|TRITON)\w*|FORCE_COLOR|CI|BUILD_NUMBER")
#: Runs with the same variables from which a pool of their own is ready sooner than an interpreter for each.
_FEWEST_IN_A_POOL = 3

#: Variables that the runs of a pool share, as torch reads them when it is imported.
Variables = frozenset[tuple[str, str]]


def _read_at_import(env: Mapping[str, str]) -> Variables:
    """Return the variables that torch does not read again in a forked run."""
    return frozenset((name, value) for name, value in env.items() if name not in compiler_cache.READ_AGAIN)


def warm_up_for(plans: list[Plan], variables: Variables = frozenset()) -> WarmUp:
    """Return what a pool with these variables loads to fork the runs of these plans."""
    forked = [item.snippet.declared for item in plans if item.snippet.declared.fork]
    needs = [declared.needs for declared in forked if _read_at_import(declared.env) == variables]
    if not needs:
        return "none"
    return "compiler" if any("compiler" in needed for needed in needs) else "eager"


@dataclass(frozen=True)
class PoolEnded:
    """A pool has ended, by itself or with this command."""

    variables: Variables
    status: int


#: What ``Pools`` waits for; ``None`` ends the command.
Inbox = queue.SimpleQueue[Started | Finished | PoolEnded | Request | None]


@contextlib.contextmanager
def scratch_folder(project: Project) -> Iterator[Path]:
    """A folder for the runs of one command, on the disk of the cache, for hard links. Raises ``StoreError``."""
    folder = project.cache / "runs"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        made = tempfile.TemporaryDirectory(dir=folder, ignore_cleanup_errors=True)
        note_owner(Path(made.name))
    except OSError as error:
        raise StoreError(folder, error) from error
    with made as path:
        yield Path(path)


class Pools:
    """The pools of one command, by their variables. All of them end with it."""

    def __init__(self, project: Project, scratch: Path, inbox: Inbox) -> None:
        self.project, self.scratch, self.inbox = project, scratch, inbox
        self.pools: dict[Variables, subprocess.Popen[bytes]] = {}
        self.running: dict[str, Variables] = {}  # the pools of the jobs, by their folders
        self.died: int | None = None  # with this status

    def __enter__(self) -> Pools:
        return self

    def __exit__(self, *_: object) -> None:
        for pool in self.pools.values():
            if pool.poll() is None:
                pool.send_signal(signal.SIGINT if os.name == "posix" else signal.SIGTERM)
        for pool in self.pools.values():
            pool.wait()

    def start(self, variables: Variables, warm: WarmUp) -> None:
        if warm != "none":
            say("loading torch and warming up its compiler …", error=True)
        # -P: nothing in the project's root is taken for a module.
        pool_command = [sys.executable, "-P", "-m", "compile_lessons.course.records.jobs"]
        own = self.scratch / f"warm-up-{len(self.pools)}"
        ambient = {name: value for name, value in os.environ.items() if not _NOT_INHERITED.fullmatch(name)}
        if sys.platform == "linux" and (compiler := cxx_compiler()) and "clang" in Path(compiler).name:
            ambient["CXX"] = compiler  # Inductor looks for g++ alone there (torch/_inductor/config.py, ``cpp.cxx``)
        self.pools[variables] = processes.start(
            [*pool_command, str(self.project.cache), str(own), warm],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            cwd=self.project.root,
            env={**ambient, **dict(variables)},
        )
        threading.Thread(target=self._pass_on_events, args=[variables], daemon=True).start()

    def _pass_on_events(self, variables: Variables) -> None:
        pool = self.pools[variables]
        assert pool.stdout
        for line in pool.stdout:
            self.inbox.put(msgspec.json.decode(line, type=Started | Finished))
        self.inbox.put(PoolEnded(variables, pool.wait()))

    def run(self, job: Job, plans: list[Plan]) -> None:
        """Give a job to its pool, which runs it at once. ``plans`` are its own and those that wait: a few with the same
        variables don't get a pool of their own."""
        variables = _read_at_import(job.env) if job.fork else frozenset()
        if variables not in self.pools:
            alike = [item for item in plans if _read_at_import(item.snippet.declared.env) == variables]
            if len(alike) < _FEWEST_IN_A_POOL:
                variables, job = frozenset(), replace(job, fork=False)
            else:
                self.start(variables, warm_up_for(alike, variables))
        pool = self.pools[variables]
        self.running[job.folder] = variables
        if self.died is not None:
            self._end_with_pool(job.folder)
            return
        assert pool.stdin
        with contextlib.suppress(BrokenPipeError):  # of a pool that has just died: ``next_event`` says so
            pool.stdin.write(msgspec.json.encode(job) + b"\n")
            pool.stdin.flush()

    def next_event(self) -> Started | Finished | PoolEnded | Request | None:
        """Wait for what comes next. If a pool dies, its jobs finish as died with it, and so do all later ones.

        Raises ``KeyboardInterrupt`` where Ctrl-C has ended the pool.
        """
        event = self.inbox.get()
        if isinstance(event, PoolEnded):
            if event.status == processes.INTERRUPTED:
                raise KeyboardInterrupt
            self.died = event.status
            for folder in [folder for folder, variables in self.running.items() if variables == event.variables]:
                self._end_with_pool(folder)
        if isinstance(event, Finished):
            del self.running[event.folder]
        return event

    def _end_with_pool(self, folder: str) -> None:
        self.inbox.put(Finished(folder=folder, killed=f"pool died with status {self.died}"))

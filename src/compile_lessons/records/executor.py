"""Start the pools that snippets run in, give them their jobs, and pass on their events."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import msgspec

from compile_lessons.ground import processes
from compile_lessons.ground.project import Project
from compile_lessons.records import compiler_cache
from compile_lessons.records.child import Job
from compile_lessons.records.machine import available_cores, cxx_compiler
from compile_lessons.records.pool import Finished, Idle, Started, WarmUp
from compile_lessons.records.store import StoreError, note_owner

#: What someone has set in their shell for torch must not end up in a record: a snippet declares what it needs.
_NOT_INHERITED = ("TORCH", "PYTORCH", "TRITON", "FORCE_COLOR")
#: Runs with the same variables from which a pool of their own is ready sooner than an interpreter for each.
_FEWEST_IN_A_POOL = 3


@dataclass(frozen=True)
class WarmPool:
    """A pool that has torch loaded before there are jobs, and the folder for their runs."""

    process: subprocess.Popen[bytes]
    scratch: Path


@contextlib.contextmanager
def warm_pool(project: Project) -> Iterator[WarmPool]:
    """Start a pool that loads torch and waits for jobs, time and again, and end it. Raises ``StoreError``."""
    with (
        scratch_folder(project) as scratch,
        _pool(project, scratch, available_cores(), "compiler", {}) as process,
    ):
        yield WarmPool(process, scratch)


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


def run_jobs(
    project: Project, jobs: list[Job], scratch: Path, at_once: int, warm: WarmPool | None
) -> Iterator[Started | Finished]:
    """Run the jobs in a pool for each environment that forks of one process can share. A pool also has the jobs of
    those after it, in case a reader waits for one: in an interpreter of its own it can run at once."""
    forks = Counter(_read_at_import(job) for job in jobs if job.fork)
    groups: dict[frozenset[tuple[str, str]], list[Job]] = {}
    for job in jobs:
        variables = _read_at_import(job)
        fork = job.fork and (not variables or forks[variables] >= _FEWEST_IN_A_POOL)
        groups.setdefault(variables if fork else frozenset(), []).append(replace(job, fork=fork))
    pools, begun = list(groups.items()), set[str]()
    for number, (variables, group) in enumerate(pools):
        now = [job for job in group if job.folder not in begun]
        later = [job for _, others in pools[number + 1 :] for job in others if job.folder not in begun]
        if not now:
            continue
        with (
            contextlib.nullcontext(warm.process)
            if warm and not variables
            else _pool(project, scratch, at_once, _warm_up_for(now), dict(variables))
        ) as process:
            for event in _events_of(process, now, later):
                begun.add(event.folder)
                yield event


def _read_at_import(job: Job) -> frozenset[tuple[str, str]]:
    """Return the variables that a job declares and that torch does not read again in a forked run."""
    return frozenset((name, value) for name, value in job.env.items() if name not in compiler_cache.READ_AGAIN)


def _warm_up_for(jobs: list[Job]) -> WarmUp:
    if not any(job.fork for job in jobs):
        return "none"
    print("loading torch and warming up its compiler …", file=sys.stderr, flush=True)
    return "compiler" if any(job.headers for job in jobs) else "eager"


@contextlib.contextmanager
def _pool(
    project: Project, scratch: Path, at_once: int, warm: WarmUp, variables: dict[str, str]
) -> Iterator[subprocess.Popen[bytes]]:
    """Start a pool, and end it."""
    # -P: nothing in the project's root is taken for a module.
    pool_command = [sys.executable, "-P", "-m", "compile_lessons.records.pool"]
    command = [*pool_command, str(at_once), str(project.cache), str(scratch), warm]
    ambient = {name: value for name, value in os.environ.items() if not name.startswith(_NOT_INHERITED)}
    if sys.platform == "linux" and (compiler := cxx_compiler()) and "clang" in Path(compiler).name:
        ambient["CXX"] = compiler  # Inductor looks for g++ alone there (torch/_inductor/config.py, ``cpp.cxx``)
    pipe = subprocess.PIPE
    process = processes.start(command, stdin=pipe, stdout=pipe, cwd=project.root, env={**ambient, **variables})
    try:
        yield process
    finally:
        if process.poll() is None:
            process.send_signal(signal.SIGINT if os.name == "posix" else signal.SIGTERM)
            process.wait()


def _events_of(process: subprocess.Popen[bytes], jobs: list[Job], later: list[Job]) -> Iterator[Started | Finished]:
    """Give a pool the jobs, and those of ``later`` pools; pass on its events.

    If the pool dies, its unfinished jobs finish as died with it.
    """
    unfinished = {job.folder for job in jobs}
    assert process.stdin and process.stdout
    with contextlib.suppress(BrokenPipeError):  # a pool that died at once: its end is reported below
        given = [*jobs, *(replace(job, fork=False, wanted_only=True) for job in later)]
        process.stdin.writelines(msgspec.json.encode(job) + b"\n" for job in given)
        process.stdin.write(b"\n")
        process.stdin.flush()
    for line in process.stdout:
        event: Started | Finished | Idle = msgspec.json.decode(line, type=Started | Finished | Idle)
        if isinstance(event, Idle):
            return
        if isinstance(event, Finished):
            unfinished.discard(event.folder)
        else:
            unfinished.add(event.folder)
        yield event
    if process.wait() == processes.INTERRUPTED:
        raise KeyboardInterrupt
    for folder in sorted(unfinished):
        yield Finished(folder=folder, killed=f"pool died with status {process.returncode}")

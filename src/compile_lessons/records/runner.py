"""Run the snippets whose records are missing, and turn each run into a record."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal

import msgspec

from compile_lessons.project import Project
from compile_lessons.records import compiler_cache, pool
from compile_lessons.records.child import Job, Result, read_result
from compile_lessons.records.machine import available_cores, cxx_compiler, missing, this_machine
from compile_lessons.records.plan import Plan, find_record, plan
from compile_lessons.records.pool import Finished, Started
from compile_lessons.records.record import SCHEMA, Output, Record, SnippetFailure
from compile_lessons.records.scrub import scrub
from compile_lessons.records.snippet import Snippet, SnippetError, Varies
from compile_lessons.records.store import Store, StoreError
from compile_lessons.records.verdict import MOST_SHOWN, difference_failure, failure_of
from compile_lessons.show import MARK

#: What someone has set in their shell for torch must not end up in a record: a snippet declares what it needs.
_NOT_INHERITED = ("TORCH", "PYTORCH", "TRITON", "FORCE_COLOR")
#: Runs with the same variables from which a pool of their own is ready sooner than an interpreter for each.
_FEWEST_IN_A_POOL = 3


@dataclass(frozen=True, kw_only=True)
class SnippetOutcome:
    """What became of one snippet. A failed one has a ``failure``, a skipped one a ``reason``."""

    name: str
    how: Literal["fresh", "cached", "failed", "skipped"]
    seconds: float = 0.0
    failure: SnippetFailure | None = None
    reason: str = ""


def run(
    project: Project,
    names: Iterable[str],
    *,
    verify: bool = False,
    force: bool = False,
    fork: bool = True,
    on_plan: Callable[[int], None] = lambda count: None,
    on_start: Callable[[str], None] = lambda name: None,
    on_outcome: Callable[[SnippetOutcome], None] = lambda outcome: None,
) -> list[SnippetOutcome]:
    """Bring the records of ``names`` up to date.

    A record that is there is kept, unless it failed, ``force`` is set, or ``verify`` asks for a second run (in a fresh
    interpreter) that it has not had. ``fork=False`` gives every run a fresh interpreter. A failure is an outcome
    with the line and the remedy, and does not keep the other snippets from running. A snippet that is edited before
    its run has ended runs again.

    Raises ``StoreError`` if the cache folder cannot be written.
    """
    store, outcomes, names = Store(project), list[SnippetOutcome](), list(names)

    def done(outcome: SnippetOutcome) -> None:
        outcomes.append(outcome)
        on_outcome(outcome)

    while names:
        todo, edited = list[Plan](), list[str]()
        for item in readable(project, names, done):
            if outcome := _without_a_run(store, item, verify, force):
                done(outcome)
            else:
                todo.append(item)
        on_plan(len(todo))
        for record in execute(project, todo, verify, fork, on_start):
            if _is_edited(project, record):
                edited.append(record.snippet)
            else:
                done(keep(record, store.put))
        names = edited
    return outcomes


def _is_edited(project: Project, record: Record) -> bool:
    """Whether the snippet has changed since its run was planned: nobody knows which of the two ran."""
    try:
        return plan(project, record.snippet).key != record.key
    except SnippetError:
        return True


def readable(project: Project, names: Iterable[str], done: Callable[[SnippetOutcome], None]) -> Iterator[Plan]:
    """Yield the plan of each snippet, once. A snippet that can't be read is ``done``: it has failed."""
    for name in dict.fromkeys(names):
        try:
            yield plan(project, name)
        except SnippetError as error:
            done(SnippetOutcome(name=name, how="failed", failure=SnippetFailure(message=str(error))))


def keep(record: Record, write: Callable[[Record], None]) -> SnippetOutcome:
    """Write the record of a run. Returns the outcome, which is a failure if the run or the writing failed."""
    failure = record.failure
    try:
        write(record)
    except StoreError as error:
        failure = failure or SnippetFailure(message=str(error))
    how: Literal["failed", "fresh"] = "failed" if failure else "fresh"
    return SnippetOutcome(name=record.snippet, how=how, seconds=record.duration, failure=failure)


def _without_a_run(store: Store, item: Plan, verify: bool, force: bool) -> SnippetOutcome | None:
    """Return what becomes of a snippet that need not, or cannot, run here; ``None`` for one that is to run."""
    name = item.snippet.name
    record, failure = find_record(store, item)
    if item.snippet.recorded and failure:
        return SnippetOutcome(name=name, how="failed", failure=failure)
    if record and not failure and (item.snippet.recorded or (not force and (record.verified or not verify))):
        return SnippetOutcome(name=name, how="cached")
    if reason := missing(item.snippet.declared.needs):
        return SnippetOutcome(name=name, how="skipped", reason=reason)
    return None


def execute(
    project: Project,
    plans: list[Plan],
    verify: bool,
    fork: bool,
    on_start: Callable[[str], None],
    at_once: int | None = None,
) -> Iterator[Record]:
    """Run each plan once, or twice to compare; yields a record as soon as a plan's runs have ended.

    ``at_once`` limits how many run at a time; ``None`` is as many as there are cores.
    """
    if not plans:
        return
    fork = fork and pool.CAN_FORK and len(plans) > 1  # for one, a fresh interpreter is ready sooner than a warm pool
    runs: dict[str, tuple[Plan, Job]] = {}
    records: dict[str, list[Record]] = {item.key: [] for item in plans}
    with _scratch(project) as folder:
        scratch = Path(folder)
        for item in plans:
            for second in (False, True) if verify else (False,):
                job = _job(project, item, scratch, fork=fork and not second)
                runs[job.folder] = item, job
        jobs = [job for _, job in runs.values()]
        for event in _events(project, jobs, scratch, at_once or available_cores()):
            item, job = runs[event.folder]
            ended = records[item.key]
            if isinstance(event, Started):
                if not ended:
                    on_start(item.snippet.name)
                continue
            ended.append(_record(project, item, job, event))
            if len(ended) == (2 if verify else 1):
                yield _verified(item.snippet, *ended) if verify else ended[0]
            shutil.rmtree(job.folder, ignore_errors=True)


def _scratch(project: Project) -> tempfile.TemporaryDirectory[str]:
    """A folder for the runs of this command, on the cache's disk so that objects can be linked."""
    folder = project.cache / "runs"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        return tempfile.TemporaryDirectory(dir=folder, ignore_cleanup_errors=True)
    except OSError as error:
        raise StoreError(folder, error) from error


def _job(project: Project, item: Plan, scratch: Path, fork: bool) -> Job:
    """Make the run's folder, with empty caches. Raises ``StoreError``."""
    snippet = item.snippet
    compiles = "compiler" in snippet.declared.needs
    try:
        folder = Path(tempfile.mkdtemp(dir=scratch))
        inductor = folder / "inductor"
        inductor.mkdir()
        job = Job(
            name=snippet.name,
            folder=str(folder),
            root=str(project.root),
            inductor_cache=str(inductor),
            headers=str(project.cache / "headers") if compiles else "",
            objects=str(project.cache / "objects") if compiles else "",
            env=snippet.declared.env,
            timeout=snippet.declared.timeout,
            memory=snippet.declared.memory * 2**20,
            fork=fork and snippet.declared.fork,
        )
        job.file.write_bytes(msgspec.json.encode(job))
    except OSError as error:
        raise StoreError(scratch, error) from error
    return job


def _events(project: Project, jobs: list[Job], scratch: Path, at_once: int) -> Iterator[Started | Finished]:
    """Run the jobs in a pool for each environment that forks of one process can share. A pool also has the jobs of
    those after it, in case a reader waits for one: in an interpreter of its own it can run at once."""
    forks = Counter(_read_at_import(job) for job in jobs if job.fork)
    pools: dict[frozenset[tuple[str, str]], list[Job]] = {}
    for job in jobs:
        variables = _read_at_import(job)
        fork = job.fork and (not variables or forks[variables] >= _FEWEST_IN_A_POOL)
        pools.setdefault(variables if fork else frozenset(), []).append(replace(job, fork=fork))
    groups, begun = list(pools.items()), set[str]()
    for number, (variables, group) in enumerate(groups):
        now = [job for job in group if job.folder not in begun]
        later = [job for _, others in groups[number + 1 :] for job in others if job.folder not in begun]
        for event in _pool_events(project, now, later, scratch, at_once, dict(variables)):
            begun.add(event.folder)
            yield event


def _read_at_import(job: Job) -> frozenset[tuple[str, str]]:
    """Return the variables that a job declares and that torch does not read again in a forked run."""
    return frozenset((name, value) for name, value in job.env.items() if name not in compiler_cache.READ_AGAIN)


def _pool_events(
    project: Project, jobs: list[Job], later: list[Job], scratch: Path, at_once: int, variables: dict[str, str]
) -> Iterator[Started | Finished]:
    """Start a pool with ``variables``, give it the jobs, and those of ``later`` pools, pass on its events.

    If the pool dies, its unfinished jobs finish as died with it.
    """
    if not jobs:
        return
    fork = any(job.fork for job in jobs)
    warm = "none" if not fork else "compiler" if any(job.headers for job in jobs) else "eager"
    # -P: nothing in the project's root is taken for a module.
    pool_command = [sys.executable, "-P", "-m", "compile_lessons.records.pool"]
    command = [*pool_command, str(at_once), str(project.cache), str(scratch), warm]
    ambient = {name: value for name, value in os.environ.items() if not name.startswith(_NOT_INHERITED)}
    if sys.platform == "linux" and (compiler := cxx_compiler()) and "clang" in Path(compiler).name:
        ambient["CXX"] = compiler  # Inductor looks for g++ alone there (torch/_inductor/config.py, ``cpp.cxx``)
    env = {**ambient, **variables, "PYTHONDONTWRITEBYTECODE": "1"}
    unfinished = {job.folder for job in jobs}
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=project.root, env=env)
    assert process.stdin and process.stdout
    try:
        with contextlib.suppress(BrokenPipeError):  # a pool that died at once: its end is reported below
            given = [*jobs, *(replace(job, fork=False, wanted_only=True) for job in later)]
            process.stdin.writelines(msgspec.json.encode(job) + b"\n" for job in given)
            process.stdin.close()
        for line in process.stdout:
            event: Started | Finished = msgspec.json.decode(line, type=Started | Finished)
            if isinstance(event, Finished):
                unfinished.discard(event.folder)
            else:
                unfinished.add(event.folder)
            yield event
        process.wait()
    finally:
        if process.poll() is None:
            process.send_signal(signal.SIGINT if os.name == "posix" else signal.SIGTERM)
            process.wait()
    if process.returncode == pool.INTERRUPTED:
        raise KeyboardInterrupt
    for folder in sorted(unfinished):
        yield Finished(folder=folder, killed=f"pool died with status {process.returncode}")


def _record(project: Project, item: Plan, job: Job, finished: Finished) -> Record:
    snippet = item.snippet
    written = read_result(job.result)
    result = written or Result()
    captured = job.output.read_bytes() if job.output.exists() else b""
    failure = failure_of(snippet, job, finished, written, captured)

    def clean(text: str) -> str:
        return scrub(text, project.root, Path(job.inductor_cache))

    return Record(
        snippet=snippet.name,
        title=snippet.title,
        key=item.key,
        sources=item.sources,
        command=snippet.command,
        device="cpu",
        caches="empty",
        date=datetime.now(UTC).isoformat(timespec="seconds"),
        duration=round(finished.duration, 3),
        peak_memory=finished.peak_memory,
        outputs=_outputs(captured, job.rich, clean),
        values={name: clean(value) if isinstance(value, str) else value for name, value in result.values.items()},
        warnings=[clean(text) for text in result.warnings],
        varies=snippet.declared.varies != Varies(),
        verified=False,
        raised=clean(f"{result.exception}: {result.message}") if result.exception else None,
        failure=failure and replace(failure, message=clean(failure.message)),
        gpu=None,
        packages=result.packages,
        schema=SCHEMA,
        **asdict(this_machine()),
    )


def _outputs(captured: bytes, rich: Path, clean: Callable[[str], str]) -> list[Output]:
    """Split what was captured at the marks that ``show`` left; every second part is a rich result.

    Of more than a page can show, the end is kept, as text.
    """
    if len(captured) > MOST_SHOWN:
        return [Output(clean(captured[-MOST_SHOWN:].decode("utf-8", errors="replace").replace(MARK, "")))]
    bundles = rich.read_text(encoding="utf-8").splitlines() if rich.exists() else []
    parts = captured.decode("utf-8", errors="replace").split(MARK)
    outputs = []
    for number, part in enumerate(parts):
        bundle = json.loads(bundles[number // 2]) if number % 2 and number // 2 < len(bundles) else {}
        if part:
            outputs.append(Output(clean(part), {mime: clean(text) for mime, text in bundle.items()}))
    return outputs


def _verified(snippet: Snippet, first: Record, second: Record) -> Record:
    """Return the first of two runs, marked as verified, or as failed if the second failed or differs."""
    if first.failure or second.failure:
        return first if first.failure else second
    failure = difference_failure(snippet, first, second)
    return replace(first, failure=failure, verified=failure is None)

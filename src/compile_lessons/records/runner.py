"""Run the snippets whose records are missing, and turn each run into a record."""

from __future__ import annotations

import contextlib
import json
import shutil
import tempfile
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal

import msgspec

from compile_lessons.ground.project import Project
from compile_lessons.records import executor, pool
from compile_lessons.records.child import Job, Result, read_result
from compile_lessons.records.executor import WarmPool
from compile_lessons.records.machine import available_cores, missing, this_machine
from compile_lessons.records.plan import Plan, find_record, plan
from compile_lessons.records.pool import Finished, Started
from compile_lessons.records.record import SCHEMA, Output, Record, SnippetFailure, Unfinished
from compile_lessons.records.scrub import scrub
from compile_lessons.records.snippet import Snippet, SnippetError, Varies
from compile_lessons.records.store import Store, StoreError
from compile_lessons.records.verdict import MOST_SHOWN, difference_failure, failure_of
from compile_lessons.show import MARK


@dataclass(frozen=True, kw_only=True)
class SnippetOutcome:
    """What became of one snippet. A failed one has a ``failure``, a skipped one a ``reason``."""

    name: str
    how: Literal["fresh", "cached", "failed", "skipped"]
    seconds: float = 0.0
    failure: SnippetFailure | None = None
    reason: str = ""


def run_snippets(
    project: Project,
    names: Iterable[str],
    *,
    verify: bool = False,
    force: bool = False,
    fork: bool = True,
    warm: WarmPool | None = None,
    on_plan: Callable[[int], None] = lambda count: None,
    on_start: Callable[[str], None] = lambda name: None,
    on_outcome: Callable[[SnippetOutcome], None] = lambda outcome: None,
) -> list[SnippetOutcome]:
    """Bring the records of ``names`` up to date.

    A record that is there is kept, unless it failed, ``force`` is set, or ``verify`` asks for a second run (in a fresh
    interpreter) that it has not had. ``fork=False`` gives every run a fresh interpreter; ``warm`` is a pool that waits
    for its jobs. A failure is an outcome with the line and the remedy, and does not keep the other snippets from
    running. A snippet that is edited before its run has ended runs again.

    Raises ``StoreError`` if the cache folder cannot be written.
    """
    store, outcomes, names = Store(project), list[SnippetOutcome](), list(names)
    done = keep_and_tell(outcomes, on_outcome)
    while names:
        todo, edited = list[Plan](), list[str]()
        for item in readable_plans(project, names, done):
            if outcome := _without_a_run(store, item, verify, force):
                done(outcome)
            else:
                todo.append(item)
        on_plan(len(todo))
        for record in execute(project, todo, verify=verify, fork=fork, on_start=on_start, warm=warm):
            if _is_edited(project, record):
                edited.append(record.snippet)
            else:
                done(keep(record, store.put))
        names = edited
    return outcomes


def keep_and_tell(
    outcomes: list[SnippetOutcome], on_outcome: Callable[[SnippetOutcome], None]
) -> Callable[[SnippetOutcome], None]:
    """Return a function that adds an outcome to ``outcomes`` and passes it to ``on_outcome``."""

    def done(outcome: SnippetOutcome) -> None:
        outcomes.append(outcome)
        on_outcome(outcome)

    return done


def _is_edited(project: Project, record: Record) -> bool:
    """Whether the snippet has changed since its run was planned: nobody knows which of the two ran."""
    try:
        return plan(project, record.snippet).key != record.key
    except SnippetError:
        return True


def readable_plans(project: Project, names: Iterable[str], done: Callable[[SnippetOutcome], None]) -> Iterator[Plan]:
    """Yield the plan of each snippet, once. A snippet that can't be read is ``done``: it has failed."""
    for name in dict.fromkeys(names):
        try:
            yield plan(project, name)
        except SnippetError as error:
            done(SnippetOutcome(name=name, how="failed", failure=SnippetFailure(message=str(error))))


def keep(record: Record, write: Callable[[Record], None]) -> SnippetOutcome:
    """Write the record of a run, if that has finished. Returns the outcome, which is a failure if the run or the
    writing failed."""
    failure = record.failure
    try:
        if not isinstance(failure, Unfinished):
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
    *,
    verify: bool = False,
    fork: bool = True,
    on_start: Callable[[str], None] = lambda name: None,
    at_once: int | None = None,
    warm: WarmPool | None = None,
) -> Iterator[Record]:
    """Run each plan once, or twice to compare; yields a record as soon as a plan's runs have ended.

    ``at_once`` limits how many run at a time; ``None`` is as many as there are cores.
    """
    if not plans:
        return
    # For one, a fresh interpreter is ready sooner than a pool that has to load torch.
    fork = fork and pool.CAN_FORK and (len(plans) > 1 or warm is not None)
    runs: dict[str, tuple[Plan, Job]] = {}
    records: dict[str, list[Record]] = {item.key: [] for item in plans}
    with contextlib.nullcontext(warm.scratch) if warm else executor.scratch_folder(project) as scratch:
        for item in plans:
            for second in (False, True) if verify else (False,):
                job = _job(project, item, scratch, fork=fork and not second)
                runs[job.folder] = item, job
        jobs = [job for _, job in runs.values()]
        for event in executor.run_jobs(project, jobs, scratch, at_once or available_cores(), warm):
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

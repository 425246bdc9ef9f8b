"""Run the snippets whose records are missing, and turn each run into a record."""

import json
import queue
import shutil
import tempfile
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal

import msgspec

from compile_lessons.course.records.executor import Inbox, PoolEnded, Pools, scratch_folder, warm_up_for
from compile_lessons.course.records.plan import Plan, find_record, plan
from compile_lessons.course.records.progress import Request
from compile_lessons.course.records.record import SCHEMA, Output, Record, SnippetFailure, Unfinished
from compile_lessons.course.records.scrub import scrub
from compile_lessons.course.records.snippet import Snippet, SnippetError, Varies
from compile_lessons.course.records.store import Store, StoreError
from compile_lessons.course.records.verdict import MOST_SHOWN, difference_failure, failure_of
from compile_lessons.ground.project import Project
from compile_lessons.runs.child import Job, Result, read_result
from compile_lessons.runs.machine import available_cores, missing, this_machine
from compile_lessons.runs.pool import CAN_FORK, Finished, Started
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
    requests: Inbox | None = None,
    on_plan: Callable[[int], None] = lambda count: None,
    on_start: Callable[[str], None] = lambda name: None,
    on_outcome: Callable[[SnippetOutcome], None] = lambda outcome: None,
) -> list[SnippetOutcome]:
    """Bring the records of ``names`` up to date, and of those that come through ``requests``, until ``None`` comes.

    A record that is there is kept, unless it failed, ``force`` is set, or ``verify`` asks for a second run (in a fresh
    interpreter) that it has not had. ``fork=False`` gives every run a fresh interpreter. A failure is an outcome with
    the line and the remedy, and does not keep the other snippets from running. A snippet that is edited before its run
    has ended runs again.

    Raises ``StoreError`` if the cache folder cannot be written.
    """
    store, outcomes = Store(project), list[SnippetOutcome]()
    done = keep_and_tell(outcomes, on_outcome)

    def to_run(names: Iterable[str]) -> list[Plan]:
        todo = list[Plan]()
        for item in readable_plans(project, names, done):
            if outcome := _without_a_run(store, item, verify, force):
                done(outcome)
            else:
                todo.append(item)
        return todo

    todo = to_run(names)
    on_plan(len(todo))
    inbox: Inbox = queue.SimpleQueue() if requests is None else requests
    stay = requests is not None
    for record in execute(
        project,
        todo,
        verify=verify,
        fork=fork,
        on_plan=on_plan,
        on_start=on_start,
        inbox=inbox,
        to_run=to_run,
        stay=stay,
    ):
        if _is_edited(project, record):
            inbox.put(Request({record.snippet: ""}))
        else:
            done(keep(record, store.put))
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
    on_plan: Callable[[int], None] = lambda count: None,
    on_start: Callable[[str], None] = lambda name: None,
    at_once: int | None = None,
    inbox: Inbox | None = None,
    to_run: Callable[[list[str]], list[Plan]] = lambda names: [],
    stay: bool = False,
) -> Iterator[Record]:
    """Run each plan once, or twice to compare; yields a record as soon as a plan's runs have ended.

    ``at_once`` limits how many run at a time; ``None`` is as many as there are cores. Requests come through ``inbox``,
    and ``to_run`` plans them. ``stay`` has torch loaded and waits for requests until ``None`` comes.
    """
    if not plans and not stay:
        return
    inbox = queue.SimpleQueue() if inbox is None else inbox
    at_once = at_once or available_cores()
    # For one, a fresh interpreter is ready sooner than a pool that has to load torch.
    fork = fork and CAN_FORK and (len(plans) > 1 or stay)
    waiting, runs, ended = Waiting(plans), dict[str, tuple[Plan, Job]](), dict[str, list[Record]]()
    with scratch_folder(project) as scratch, Pools(project, scratch, inbox) as pools:
        pools.start(frozenset(), "compiler" if stay and fork else warm_up_for(plans if fork else []))
        while waiting.plans or runs or not inbox.empty() or (stay and pools.died is None):
            while item := waiting.take(at_once - len(runs)):
                for second in (False, True) if verify else (False,):
                    job = _job(project, item, scratch, fork=fork and not second)
                    runs[job.folder] = item, job
                    pools.run(job, [item, *waiting.plans])
            event = pools.next_event()
            if event is None:
                return
            if isinstance(event, PoolEnded):
                continue
            if isinstance(event, Request):
                waiting.add(event, to_run, {item.key for item, _ in runs.values()})
                on_plan(len(waiting.plans) + len(runs))
                continue
            item, job = runs[event.folder]
            if isinstance(event, Started):
                if item.key not in ended:
                    on_start(item.snippet.name)
                continue
            del runs[event.folder]
            records = ended.setdefault(item.key, [])
            records.append(_record(project, item, job, event))
            if len(records) == (2 if verify else 1):
                del ended[item.key]
                yield _verified(item.snippet, *records) if verify else records[0]
            shutil.rmtree(job.folder, ignore_errors=True)


class Waiting:
    """The plans that wait for a run, in their order."""

    def __init__(self, plans: list[Plan]) -> None:
        self.plans = list(plans)
        self._known = {item.snippet.name for item in plans}
        self._edited: set[str] = set()  # keys

    def take(self, free: int) -> Plan | None:
        """Take the next plan if a run is free; an edited snippet need not wait for one."""
        may_run = self.plans and (free > 0 or (free == 0 and self.plans[0].key in self._edited))
        return self.plans.pop(0) if may_run else None

    def add(self, request: Request, to_run: Callable[[list[str]], list[Plan]], under_way: set[str]) -> None:
        """Add what is requested and neither waits nor runs: in front if a reader waits for it or if it was edited."""
        queued = {item.key: item for item in self.plans}
        plans = to_run([name for name, key in request.keys.items() if key not in queued and key not in under_way])
        new = [item for item in plans if item.key not in queued and item.key not in under_way]
        self._edited |= {item.key for item in new if item.snippet.name in self._known}
        self._known |= request.keys.keys()
        front = [queued[key] for key in request.keys.values() if key in queued and request.first]
        front += [item for item in new if request.first or item.key in self._edited]
        back = [item for item in new if item not in front]
        moved = {item.snippet.name for item in front + back}
        self.plans = front + [item for item in self.plans if item.snippet.name not in moved] + back


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

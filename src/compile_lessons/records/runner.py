"""Run the snippets whose records are missing, and turn each run into a record."""

from __future__ import annotations

import contextlib
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from compile_lessons.project import CACHE_VARIABLE, Project
from compile_lessons.records import compiler_cache, pool
from compile_lessons.records.child import CANNOT_WRITE, Job, Result
from compile_lessons.records.machine import available_cores, cxx_compiler, missing, this_machine
from compile_lessons.records.plan import Plan, plan, stale
from compile_lessons.records.record import Failure, Output, Record
from compile_lessons.records.scrub import scrub
from compile_lessons.records.snippet import Snippet, SnippetError
from compile_lessons.records.store import Store, StoreError, cannot_write
from compile_lessons.show import MARK

MOST_OUTPUT = 256 * 2**10

#: What someone has set in their shell for torch must not end up in a record: a snippet declares what it needs.
_NOT_INHERITED = ("TORCH", "PYTORCH", "TRITON", "FORCE_COLOR")


@dataclass(frozen=True)
class Outcome:
    """What became of one snippet: ``how`` is one of fresh, cached, failed, skipped; a skipped one has a ``reason``."""

    name: str
    how: str
    seconds: float = 0.0
    failure: Failure | None = None
    reason: str = ""


def run(
    project: Project,
    names: Iterable[str],
    *,
    verify: bool = False,
    force: bool = False,
    fork: bool = True,
    on_start: Callable[[str], None] = lambda name: None,
    on_outcome: Callable[[Outcome], None] = lambda outcome: None,
) -> list[Outcome]:
    """Bring the records of ``names`` up to date.

    A record that is there is kept, unless it failed, ``force`` is set, or ``verify`` asks for a second run (in a fresh
    interpreter) that it has not had. ``fork=False`` gives every run a fresh interpreter. A failure is an outcome
    with the line and the remedy, and does not keep the other snippets from running.

    Raises ``StoreError`` if the cache folder cannot be written.
    """
    store, outcomes, todo = Store(project), [], []

    def done(outcome: Outcome) -> None:
        outcomes.append(outcome)
        on_outcome(outcome)

    for name in dict.fromkeys(names):
        try:
            item = plan(project, name)
        except SnippetError as error:
            done(Outcome(name, "failed", failure=Failure(None, str(error), "")))
            continue
        known = store.get(item.key)
        if "gpu" in item.snippet.needs:
            done(_recorded(project, store, item))
        elif known and not known.failure and not force and (known.verified or not verify):
            done(Outcome(name, "cached"))
        elif reason := missing(item.snippet.needs):
            done(Outcome(name, "skipped", reason=reason))
        else:
            todo.append(item)
    if todo:
        for record in execute(project, todo, verify, fork, on_start):
            failure = record.failure
            try:
                store.put(record)
            except StoreError as error:
                failure = failure or Failure(None, str(error), "")
            done(Outcome(record.snippet, "failed" if failure else "fresh", record.duration, failure))
    return outcomes


def _recorded(project: Project, store: Store, item: Plan) -> Outcome:
    recording = store.recording(item.snippet.name)
    if recording is None:
        return Outcome(item.snippet.name, "skipped", reason="needs a GPU and has no recording yet")
    failure = stale(item, recording)
    return Outcome(item.snippet.name, "failed" if failure else "cached", failure=failure)


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
    fork = fork and pool.CAN_FORK and len(plans) > 1  # for one, a fresh interpreter is ready sooner than a warm pool
    runs: dict[str, tuple[Plan, Job]] = {}
    records: dict[str, list[Record]] = {}
    with _scratch(project) as scratch:
        for item in plans:
            for second in (False, True) if verify else (False,):
                try:
                    job = _job(project, item, scratch, fork=fork and not second and not item.snippet.env)
                except OSError as error:
                    raise cannot_write(scratch, error) from error
                runs[job.folder] = item, job
        for event in _pool(
            project, [job for _, job in runs.values()], plans, scratch, fork, at_once or available_cores()
        ):
            item, job = runs[event.get("started") or event["finished"]]
            if "started" in event:
                if not records.get(item.key):
                    on_start(item.snippet.name)
                continue
            both = records.setdefault(item.key, [])
            both.append(_record(project, item, job, pool.Ended(**event)))
            if len(both) == (2 if verify else 1):
                yield _verified(item.snippet, *both) if verify else both[0]
            shutil.rmtree(job.folder, ignore_errors=True)


@contextlib.contextmanager
def _scratch(project: Project) -> Iterator[Path]:
    """A folder for the runs of this command, on the cache's disk so that objects can be linked."""
    folder = project.cache / "runs"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        scratch = Path(tempfile.mkdtemp(dir=folder))
    except OSError as error:
        raise cannot_write(folder, error) from error
    try:
        yield scratch
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


def _job(project: Project, item: Plan, scratch: Path, fork: bool) -> Job:
    """Make the run's folder: empty caches, and the compiled objects that are at hand."""
    snippet, folder = item.snippet, Path(tempfile.mkdtemp(dir=scratch))
    inductor, kept = folder / "inductor", _kept(project, snippet)
    inductor.mkdir()
    if snippet.keeps_caches and kept.is_dir():
        shutil.copytree(kept, inductor, dirs_exist_ok=True)
    compiles = "compiler" in snippet.needs
    if compiles:
        compiler_cache.link_objects(project.cache / "objects", inductor)
    job = Job(
        name=snippet.name,
        folder=str(folder),
        root=str(project.root),
        inductor_cache=str(inductor),
        headers=str(project.cache / "headers") if compiles else "",
        env={**_compiler_variable(), **snippet.env},
        timeout=snippet.timeout,
        memory=snippet.memory_mib * 2**20,
        fork=fork,
    )
    (folder / "job.json").write_text(json.dumps(asdict(job)), encoding="utf-8")
    return job


def _kept(project: Project, snippet: Snippet) -> Path:
    """Where the caches of the last run of a snippet that says ``caches = "keep"`` are."""
    return project.cache / "kept" / snippet.name


def _compiler_variable() -> dict[str, str]:
    """Inductor looks for g++ alone on Linux (torch/_inductor/config.py, ``cpp.cxx``): name clang if it is all."""
    compiler = cxx_compiler()
    return {"CXX": compiler} if compiler and "clang" in Path(compiler).name and sys.platform == "linux" else {}


def _pool(
    project: Project, jobs: list[Job], plans: list[Plan], scratch: Path, fork: bool, at_once: int
) -> Iterator[dict[str, str]]:
    """Start the pool, give it the jobs, pass on its events. If it dies, its unfinished jobs finish as died with it."""
    compiles = any("compiler" in item.snippet.needs for item in plans)
    warm = "none" if not fork else "compiler" if compiles else "eager"
    # -P: nothing in the project's root is taken for a module.
    pool_command = [sys.executable, "-P", "-m", "compile_lessons.records.pool"]
    command = [*pool_command, str(at_once), str(project.cache), str(scratch), warm]
    ambient = {name: value for name, value in os.environ.items() if not name.startswith(_NOT_INHERITED)}
    env = {**ambient, **_compiler_variable(), "PYTHONDONTWRITEBYTECODE": "1"}
    unfinished = {job.folder for job in jobs}
    process = subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=project.root, env=env
    )
    try:
        with contextlib.suppress(BrokenPipeError):  # a pool that died at once: its end is reported below
            process.stdin.write("".join(json.dumps(asdict(job)) + "\n" for job in jobs))
            process.stdin.close()
        for line in process.stdout:
            event = json.loads(line)
            if "ready" in event:
                continue
            unfinished.discard(event.get("finished", ""))
            yield event
        process.wait()
    finally:
        if process.poll() is None:
            process.send_signal(signal.SIGINT if os.name == "posix" else signal.SIGTERM)
            process.wait()
    if process.returncode == pool.INTERRUPTED:
        raise KeyboardInterrupt
    for folder in sorted(unfinished):
        yield asdict(pool.Ended(folder, 0, 0, 0.0, f"pool died with status {process.returncode}", []))


def _record(project: Project, item: Plan, job: Job, ended: pool.Ended) -> Record:
    snippet, folder = item.snippet, Path(job.folder)
    result = _result(folder)
    captured = (folder / "output").read_bytes() if (folder / "output").exists() else b""
    failure = _failure(snippet, job, ended, result, captured)
    if ended.killed is None and ended.status >= 0:
        compiler_cache.collect_objects(Path(job.inductor_cache), project.cache / "objects")
        if snippet.keeps_caches:
            compiler_cache.keep(Path(job.inductor_cache), _kept(project, snippet))

    def clean(text: str) -> str:
        return scrub(text, project.root, Path(job.inductor_cache))

    return Record(
        snippet=snippet.name,
        title=snippet.title,
        key=item.key,
        sources=item.sources,
        command=snippet.command,
        device="cpu",
        caches="kept from the snippet's last run" if snippet.keeps_caches else "empty",
        date=datetime.now(UTC).isoformat(timespec="seconds"),
        duration=round(ended.duration, 3),
        peak_memory=ended.peak_memory,
        outputs=_outputs(captured, folder / "rich", clean),
        values={name: clean(v) if isinstance(v, str) else v for name, v in (result.values if result else {}).items()},
        warnings=[clean(text) for text in (result.warnings if result else [])],
        varies=bool(snippet.varying_output or snippet.varying_values),
        raised=clean(f"{result.exception}: {result.message}") if result and result.exception else None,
        failure=failure and replace(failure, message=clean(failure.message)),
        **asdict(this_machine()),
    )


def _result(folder: Path) -> Result | None:
    try:
        return Result(**json.loads((folder / "result.json").read_text(encoding="utf-8")))
    except FileNotFoundError:  # the process was killed before it could write
        return None


def _outputs(captured: bytes, rich: Path, clean: Callable[[str], str]) -> list[Output]:
    """Split what was captured at the marks that ``show`` left; every second part is a rich result.

    Of more than a page can show, the end is kept, as text.
    """
    if len(captured) > MOST_OUTPUT:
        return [Output(clean(captured[-MOST_OUTPUT:].decode("utf-8", errors="replace").replace(MARK, "")))]
    bundles = rich.read_text(encoding="utf-8").splitlines() if rich.exists() else []
    parts = captured.decode("utf-8", errors="replace").split(MARK)
    outputs = []
    for number, part in enumerate(parts):
        bundle = json.loads(bundles[number // 2]) if number % 2 and number // 2 < len(bundles) else {}
        if part:
            outputs.append(Output(clean(part), {mime: clean(text) for mime, text in bundle.items()}))
    return outputs


def _failure(snippet: Snippet, job: Job, ended: pool.Ended, result: Result | None, captured: bytes) -> Failure | None:
    """Why the run does not count, in the order in which a reader would want to know; ``None`` if it does."""
    line = result.line if result else _fault_line(Path(job.folder) / "fault", snippet.name)
    if ended.killed:
        return _killed(snippet, ended, line)
    if result is None and ended.status < 0:
        number = -ended.status
        hint = "; the system may have run out of memory" if number == signal.SIGKILL else ""
        return Failure(
            line, f"died of {signal.Signals(number).name}{hint}", "run it alone to see why: " + snippet.command
        )
    if result is None and ended.status == CANNOT_WRITE:
        place = Path(job.folder).parent
        return Failure(
            None, f"its result could not be written to {place}", f"free space there, or set {CACHE_VARIABLE}"
        )
    if result is None:
        return Failure(
            line,
            f"its process ended with status {ended.status} before Python did",
            "let the snippet end by itself; its output: " + captured[-2000:].decode(errors="replace"),
        )
    if result.exited:
        return Failure(
            line, f"called os._exit({result.message}): nothing after it ran", "let the snippet end by itself"
        )
    if ended.left:
        return Failure(
            line, f"left a process behind: {', '.join(ended.left)}", "wait for it or end it before the snippet ends"
        )
    return _unexpected(snippet, result) or _unreadable(captured)


def _killed(snippet: Snippet, ended: pool.Ended, line: int | None) -> Failure:
    if ended.killed == "timeout":
        remedy = "make it faster, or declare a longer 'timeout'"
        return Failure(line, f"still running after {snippet.timeout:g} s", remedy)
    if ended.killed == "memory":
        used = f"used {ended.peak_memory / 2**20:.0f} MiB; its limit is {snippet.memory_mib} MiB"
        return Failure(line, used, "use less, or declare a larger 'memory'")
    if ended.killed == "output":
        return Failure(line, f"printed more than {pool._MOST_OUTPUT // 2**20} MiB", "print less")
    return Failure(line, f"did not finish: {ended.killed}", "run it again")


def _unexpected(snippet: Snippet, result: Result) -> Failure | None:
    expected = snippet.raises
    if expected is None:
        if result.exception is None:
            return None
        remedy = "mend it, or declare the exception under 'raises'"
        return Failure(result.line, f"raised {result.exception}: {result.message}", remedy)
    wanted = f"{expected.type}({expected.message!r})" if expected.message else expected.type
    if result.exception is None:
        remedy = "take 'raises' out of its lesson block, or find out why it no longer fails"
        return Failure(snippet.first_line, f"was to raise {wanted}, but ended without an exception", remedy)
    named = result.exception == expected.type or result.exception.endswith("." + expected.type)
    if not named or expected.message not in result.message:
        raised = f"was to raise {wanted}, but raised {result.exception}: {result.message}"
        return Failure(result.line, raised, "mend it, or declare what it raises now")
    return None


def _unreadable(captured: bytes) -> Failure | None:
    if len(captured) > MOST_OUTPUT:
        size = f"printed {len(captured) / 2**10:.0f} KiB; a page can show {MOST_OUTPUT // 2**10} KiB"
        return Failure(None, size, "print less: a page is read by people")
    try:
        captured.decode("utf-8")
    except UnicodeDecodeError as error:
        line = captured[: error.start].count(b"\n") + 1
        return Failure(None, f"line {line} of its output is not UTF-8", "decode bytes before printing them")
    return None


def _fault_line(fault: Path, name: str) -> int | None:
    """The innermost line of the snippet in the stack that faulthandler wrote (innermost first)."""
    if not fault.exists():
        return None
    match = re.search(rf'File ".*snippets/{re.escape(name)}", line (\d+)', fault.read_text(errors="replace"))
    return int(match[1]) if match else None


def _verified(snippet: Snippet, first: Record, second: Record) -> Record:
    """The first of two runs, marked as verified, or as failed if the second differed in what was not declared."""
    if first.failure or second.failure:
        return first if first.failure else second
    difference = _difference(snippet, first, second)
    if difference is None:
        return replace(first, verified=True)
    remedy = "make it deterministic, or declare what may differ under 'varies'"
    return replace(first, failure=Failure(None, f"a second run differed: {difference}", remedy))


def _difference(snippet: Snippet, first: Record, second: Record) -> str | None:
    ours, theirs = (_comparable(snippet, record.text) for record in (first, second))
    for number, (a, b) in enumerate(zip(ours, theirs, strict=False), 1):
        if a != b:
            return f"line {number} of the output was {a!r}, then {b!r}"
    if len(ours) != len(theirs):
        return f"{len(ours)} lines of output, then {len(theirs)}"
    for name in sorted(first.values.keys() | second.values.keys()):
        a, b = first.values.get(name), second.values.get(name)
        if name not in snippet.varying_values and repr(a) != repr(b):  # repr: nan differs from itself
            return f"the value {name} was {a!r}, then {b!r}"
    return None


def _comparable(snippet: Snippet, text: str) -> list[str]:
    for pattern in snippet.varying_output:
        text = re.sub(pattern, "…", text)
    if snippet.varying_output:  # the padding of a column follows what varies in it
        text = re.sub(r"[ -]{2,}", "  ", text)
    return text.splitlines()

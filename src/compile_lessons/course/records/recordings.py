"""Run the snippets that want a GPU or the peers on a machine that has them; write their recordings beside them."""

import subprocess
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from compile_lessons.course.records.plan import Plan, find_record, package_changed
from compile_lessons.course.records.record import Record
from compile_lessons.course.records.runner import SnippetOutcome, execute, keep, keep_and_tell, readable_plans
from compile_lessons.course.records.snippet import Declared
from compile_lessons.course.records.sources import for_a_recording
from compile_lessons.course.records.store import Store
from compile_lessons.ground.project import COURSE, Project, ProjectError
from compile_lessons.ground.words import counted
from compile_lessons.runs.machine import missing_peers, processor

_QUERY = {
    "driver": "driver_version",
    "SM clock right after": "clocks.sm",
    "SM clock at most": "clocks.max.sm",
    "memory clock right after": "clocks.mem",
    "power limit": "power.limit",
}


class CannotRecord(ProjectError):
    """This machine lacks what a snippet needs; the message says what was looked for, and the remedy."""


@dataclass(frozen=True)
class Gpu:
    """The GPU of this machine: its name, and driver, CUDA version and clocks as they are now."""

    name: str
    facts: dict[str, str]


def find_gpu(count: int = 1) -> Gpu:
    """Return the machine's first GPU, named ``2 × …`` for two.

    Raises ``CannotRecord`` if there are not ``count`` GPUs that torch can use.
    """
    import torch  # takes a second, and only this function needs it

    if not torch.cuda.is_available():
        message = f"torch {torch.__version__} finds no GPU. Fix: run '{COURSE} record' on a machine that has one"
        raise CannotRecord(message)
    if (available := torch.cuda.device_count()) < count:
        raise CannotRecord(f"{count} GPUs are needed, and torch finds {available}. Fix: record on another machine")
    command = ["nvidia-smi", "--query-gpu=" + ",".join(_QUERY.values()), "--format=csv,noheader", "--id=0"]
    answers = subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip().split(", ")
    facts = dict(zip(_QUERY, answers, strict=True))
    name = torch.cuda.get_device_name(0)
    return Gpu(f"{count} × {name}" if count > 1 else name, {"CUDA": str(torch.version.cuda), **facts})


def record_snippets(
    project: Project,
    names: Iterable[str],
    *,
    every: bool = False,
    on_plan: Callable[[int], None] = lambda count: None,
    on_start: Callable[[str], None] = lambda name: None,
    on_outcome: Callable[[SnippetOutcome], None] = lambda outcome: None,
) -> list[SnippetOutcome]:
    """Record those of ``names`` that are kept as recordings, if missing, out of date or older than a change of the
    package; all of them if ``every``.

    They run one at a time, each in a fresh interpreter, as they are timed. A failed run is an outcome and leaves the
    old recording as it is. Snippets that need what this machine lacks are skipped, unless nothing is left: that
    raises ``CannotRecord``. Raises ``ProjectError`` where none of ``names`` is kept as a recording.
    """
    store, outcomes, ready, skipped = Store(project), list[SnippetOutcome](), list[Plan](), list[SnippetOutcome]()
    done = keep_and_tell(outcomes, on_outcome)
    for item in readable_plans(project, names, done):
        if not item.snippet.recorded:
            continue
        recording, failure = find_record(store, item)
        if recording and not failure and not every and not package_changed(recording, item):
            done(SnippetOutcome(name=item.snippet.name, how="cached"))
        elif reason := _lacking(item.snippet.declared):
            skipped.append(SnippetOutcome(name=item.snippet.name, how="skipped", reason=reason))
        else:
            ready.append(item)
    if skipped and not ready:
        raise CannotRecord("\n".join(dict.fromkeys(str(outcome.reason) for outcome in skipped)))
    if not outcomes and not ready:
        raise ProjectError(f"none of these snippets needs a GPU or the extra 'peers'. Fix: '{COURSE} run'")
    for outcome in skipped:
        done(outcome)
    declared = {item.snippet.name: item.snippet.declared for item in ready}
    on_plan(len(ready))
    for run in execute(project, ready, fork=False, on_start=on_start, at_once=1):
        recorded = with_programs(project, _with_machine(run, declared[run.snippet]))
        done(keep(recorded, store.put_recording))
    return outcomes


def with_programs(project: Project, run: Record) -> Record:
    """Return the record of a run with the hashes that a recording keeps."""
    text = replace(run, snippet="", command="", sources={}).to_json()
    return replace(run, sources=for_a_recording(project.root, run.sources, text))


def _lacking(declared: Declared) -> str | None:
    """Return what this machine lacks of what a snippet needs, with what to do; ``None`` if nothing."""
    if "gpu" in declared.needs:
        try:
            find_gpu(declared.gpus)
        except CannotRecord as error:
            return str(error)
    if "peers" in declared.needs and (packages := missing_peers()):
        install = "pip install -c constraints.txt -c constraints-peers.txt -e '.[peers]'"
        return f"not installed: {', '.join(packages)}. Fix: {install}"
    return None


def _with_machine(run: Record, declared: Declared) -> Record:
    """Return the record of a run that has just ended, with what it ran on."""
    if "gpu" in declared.needs:
        gpu = find_gpu(declared.gpus)  # the clocks of a GPU that has just worked; they fall when it idles
        return replace(run, device=gpu.name, gpu=gpu.facts)
    return replace(run, device=f"a CPU ({processor()}, {run.isa}, {counted(run.cores, 'core')})")

"""Run the snippets that want a GPU on a machine that has one, and write their recordings beside them."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from compile_lessons.project import Project, ProjectError
from compile_lessons.records.plan import find_record
from compile_lessons.records.record import Record
from compile_lessons.records.runner import SnippetOutcome, execute, keep, readable
from compile_lessons.records.store import Store

_QUERY = {
    "driver": "driver_version",
    "SM clock right after": "clocks.sm",
    "SM clock at most": "clocks.max.sm",
    "memory clock right after": "clocks.mem",
    "power limit": "power.limit",
}


class NoGpu(ProjectError):
    """This machine has no GPU to record on; the message says what was looked for."""


@dataclass(frozen=True)
class Gpu:
    """The GPU of this machine: its name, and driver, CUDA version and clocks as they are now."""

    name: str
    facts: dict[str, str]


def find_gpu(count: int = 1) -> Gpu:
    """Return the machine's first GPU, named ``2 × …`` for two. Raise ``NoGpu`` without ``count`` that torch can use."""
    import torch  # takes a second, and only this function needs it

    if not torch.cuda.is_available():
        raise NoGpu(f"torch {torch.__version__} finds no GPU. Fix: run 'compile-lessons record' where there is one")
    if torch.cuda.device_count() < count:
        raise NoGpu(
            f"{count} GPUs are needed, and torch finds {torch.cuda.device_count()}. Fix: record on another machine"
        )
    command = ["nvidia-smi", "--query-gpu=" + ",".join(_QUERY.values()), "--format=csv,noheader", "--id=0"]
    answers = subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip().split(", ")
    facts = dict(zip(_QUERY, answers, strict=True))
    name = torch.cuda.get_device_name(0)
    return Gpu(f"{count} × {name}" if count > 1 else name, {"CUDA": str(torch.version.cuda), **facts})


def record(
    project: Project,
    names: Iterable[str],
    *,
    every: bool = False,
    on_start: Callable[[str], None] = lambda name: None,
    on_outcome: Callable[[SnippetOutcome], None] = lambda outcome: None,
) -> list[SnippetOutcome]:
    """Record the GPU snippets among ``names`` whose recordings are missing or out of date; all of them if ``every``.

    They run one at a time, each in a fresh interpreter, as they are timed. A failed run is an outcome and leaves the
    old recording as it is. Raises ``NoGpu``.
    """
    store, outcomes, todo = Store(project), list[SnippetOutcome](), []

    def done(outcome: SnippetOutcome) -> None:
        outcomes.append(outcome)
        on_outcome(outcome)

    for item in readable(project, names, done):
        recording, failure = find_record(store, item)
        if item.on_gpu and (every or failure or not recording):
            todo.append(item)
        elif item.on_gpu:
            done(SnippetOutcome(name=item.snippet.name, how="cached"))
    gpus = {item.snippet.name: item.snippet.declared.gpus for item in todo}
    if todo:
        find_gpu(max(gpus.values()))
    for run in execute(project, todo, False, False, on_start, at_once=1):
        gpu = find_gpu(gpus[run.snippet])  # the clocks of a GPU that has just worked; they fall when it idles
        done(keep(replace(run, device=gpu.name, gpu=gpu.facts), lambda run: _put_unless_failed(store, run)))
    return outcomes


def _put_unless_failed(store: Store, run: Record) -> None:
    if run.failure is None:
        store.put_recording(run)

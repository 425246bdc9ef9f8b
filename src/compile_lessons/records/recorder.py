"""Run the snippets that want a GPU on a machine that has one, and write their recordings beside them."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from compile_lessons.project import Project, ProjectError
from compile_lessons.records.plan import Plan, plan, stale
from compile_lessons.records.record import Failure, Record
from compile_lessons.records.runner import Outcome, execute
from compile_lessons.records.snippet import SnippetError
from compile_lessons.records.store import Store, StoreError, write_atomically

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
    """The GPU of this machine: its name, and driver, CUDA version and clocks as found."""

    name: str
    facts: dict[str, str]


def find_gpu() -> Gpu:
    """Raises ``NoGpu`` without a GPU that torch can use."""
    import torch

    if not torch.cuda.is_available():
        raise NoGpu(f"torch {torch.__version__} finds no GPU here: run 'compile-lessons record' on a machine with one")
    command = ["nvidia-smi", "--query-gpu=" + ",".join(_QUERY.values()), "--format=csv,noheader", "--id=0"]
    found = subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip().split(", ")
    facts = dict(zip(_QUERY, found, strict=True))
    return Gpu(torch.cuda.get_device_name(0), {"CUDA": str(torch.version.cuda), **facts})


def wants_gpu(project: Project, names: Iterable[str]) -> tuple[list[Plan], list[Outcome]]:
    """The plans of those snippets that want a GPU, and a failure for each that cannot be read."""
    plans, failed = [], []
    for name in names:
        try:
            item = plan(project, name)
        except SnippetError as error:
            failed.append(Outcome(name, "failed", failure=Failure(None, str(error), "")))
            continue
        if "gpu" in item.snippet.needs:
            plans.append(item)
    return plans, failed


def record(
    project: Project,
    names: Iterable[str],
    *,
    every: bool = False,
    on_start: Callable[[str], None] = lambda name: None,
    on_outcome: Callable[[Outcome], None] = lambda outcome: None,
) -> list[Outcome]:
    """Record the GPU snippets among ``names`` whose recordings are missing or out of date; all of them if ``every``.

    They run one at a time, each in a fresh interpreter, as they are timed. A failed run is an outcome and leaves the
    old recording as it is. Raises ``NoGpu``, and ``StoreError`` if a recording cannot be written.
    """
    plans, outcomes = wants_gpu(project, names)
    store = Store(project)
    todo = [item for item in plans if every or _outdated(store, item)]
    outcomes += [Outcome(item.snippet.name, "cached") for item in plans if item not in todo]
    for outcome in outcomes:
        on_outcome(outcome)
    if not todo:
        return outcomes
    find_gpu()
    for found in execute(project, todo, False, False, on_start, at_once=1):
        gpu = find_gpu()  # the clocks of a GPU that has just worked; they fall when it idles
        outcome = _keep(store, replace(found, device=gpu.name, gpu=gpu.facts))
        outcomes.append(outcome)
        on_outcome(outcome)
    return outcomes


def _outdated(store: Store, item: Plan) -> bool:
    recording = store.recording(item.snippet.name)
    return recording is None or stale(item, recording) is not None


def _keep(store: Store, found: Record) -> Outcome:
    failure = found.failure
    if failure is None:
        try:
            write_atomically(store.recording_path(found.snippet), found.to_json() + "\n")
        except StoreError as error:
            failure = Failure(None, str(error), "")
    return Outcome(found.snippet, "failed" if failure else "fresh", found.duration, failure)

"""Which record a snippet has now. A page needs this and the store; it need not load what runs snippets."""

from __future__ import annotations

from dataclasses import dataclass

from compile_lessons.project import Project
from compile_lessons.records.machine import this_machine
from compile_lessons.records.record import SCHEMA, Record, SnippetFailure
from compile_lessons.records.snippet import Snippet, load
from compile_lessons.records.sources import key, source_hashes
from compile_lessons.records.store import Store

#: What a build is not expected to have, and where it is.
RECORDED_ON = {"gpu": "a machine with a GPU", "peers": "a machine with the extra 'peers'"}


@dataclass(frozen=True)
class Plan:
    """A snippet with the key its record has now."""

    snippet: Snippet
    sources: dict[str, str]
    key: str

    @property
    def recorded(self) -> bool:
        """Whether its record is a recording: made on a machine that has what the snippet needs, and committed."""
        return not RECORDED_ON.keys().isdisjoint(self.snippet.declared.needs)


def plan(project: Project, name: str) -> Plan:
    """Read a snippet and find its record's key. Raises ``SnippetError`` for a snippet that cannot be read."""
    snippet = load(project, name)
    hashes = source_hashes(project, snippet)
    return Plan(snippet, hashes, key(snippet, hashes, this_machine(), SCHEMA))


def find_record(store: Store, plan: Plan) -> tuple[Record | None, SnippetFailure | None]:
    """Return the record of a snippet, if there is one, and why it may not be shown, if it may not."""
    if plan.recorded:
        recording = store.recording(plan.snippet.name)
        return recording, stale_failure(plan, recording) if recording else None
    record = store.get(plan.key)
    return record, record.failure if record else None


def stale_failure(plan: Plan, recording: Record) -> SnippetFailure | None:
    """Return the failure of a recording whose sources have changed since; ``None`` if they have not."""
    if recording.sources == plan.sources:
        return None
    machines = " and ".join(RECORDED_ON[need] for need in plan.snippet.declared.needs if need in RECORDED_ON)
    remedy = f"run 'compile-lessons record snippets/{plan.snippet.name}' on {machines}"
    return SnippetFailure(message="its recording is older than its source", remedy=remedy)

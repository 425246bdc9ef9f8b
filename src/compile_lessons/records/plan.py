"""Which record a snippet has now. A page needs this and the store; it need not load what runs snippets."""

from __future__ import annotations

from dataclasses import dataclass

from compile_lessons.project import Project
from compile_lessons.records.machine import this_machine
from compile_lessons.records.record import SCHEMA, Failure, Record
from compile_lessons.records.snippet import Snippet, load
from compile_lessons.records.sources import key, source_hashes


@dataclass(frozen=True)
class Plan:
    """A snippet with the key its record has now."""

    snippet: Snippet
    sources: dict[str, str]
    key: str


def plan(project: Project, name: str) -> Plan:
    """Raises ``SnippetError`` for a snippet that cannot be read."""
    snippet = load(project, name)
    hashes = source_hashes(project, snippet)
    return Plan(snippet, hashes, key(snippet, hashes, this_machine(), SCHEMA))


def stale(item: Plan, recording: Record) -> Failure | None:
    """Why the recording of a GPU run may not be shown: its sources have changed since. ``None`` if they have not."""
    if recording.sources == item.sources:
        return None
    remedy = f"on a machine with a GPU: compile-lessons record snippets/{item.snippet.name}"
    return Failure(None, "its recording is older than its source", remedy)

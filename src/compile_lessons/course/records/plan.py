"""Which record a snippet has now. A page needs this and the store; it need not load what runs snippets."""

from dataclasses import dataclass

from compile_lessons.course.records import sources
from compile_lessons.course.records.record import SCHEMA, Record, SnippetFailure
from compile_lessons.course.records.snippet import RECORDED_ON, Snippet, load_snippet
from compile_lessons.course.records.sources import is_current, key, source_hashes
from compile_lessons.course.records.store import DamagedRecording, Store
from compile_lessons.ground.project import COURSE, Project
from compile_lessons.runs.machine import this_machine


@dataclass(frozen=True)
class Plan:
    """A snippet with the key its record has now."""

    snippet: Snippet
    sources: dict[str, str]
    key: str


def plan(project: Project, name: str) -> Plan:
    """Read a snippet and find its record's key. Raises ``SnippetError`` for a snippet that cannot be read."""
    snippet = load_snippet(project, name)
    hashes = source_hashes(project, snippet)
    return Plan(snippet, hashes, key(snippet, hashes, this_machine(), SCHEMA))


def find_record(store: Store, plan: Plan) -> tuple[Record | None, SnippetFailure | None]:
    """Return the record of a snippet, if there is one, and why it may not be shown, if it may not.

    A record of a CPU run depends on all of its sources. A recording depends on what the snippet's own files run, and
    on what measures: see ``for_a_recording`` and ``package_changed``.
    """
    snippet = plan.snippet
    if not snippet.recorded:
        record = store.get(plan.key)
        return record, record.failure if record else None
    machines = " and ".join(RECORDED_ON[need] for need in snippet.declared.needs if need in RECORDED_ON)
    remedy = f"run '{COURSE} record snippets/{snippet.name}' on {machines}"
    try:
        recording = store.recording(snippet.name)
    except DamagedRecording as error:
        return None, SnippetFailure(message=str(error), remedy=f"get the file from Git again, or {remedy}")
    if recording is None or is_current(store.project.root, recording.sources, plan.sources):
        return recording, None
    return recording, SnippetFailure(message="its recording is older than its source", remedy=remedy)


def package_changed(record: Record, plan: Plan) -> bool:
    """Whether a recording was made before the package's last change to a module that the snippet imports.

    It can still be shown: what it measured is unchanged.
    """
    return plan.snippet.recorded and sources.package_changed(record.sources, plan.sources)

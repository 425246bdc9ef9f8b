"""How far a run in the background is: a small file in the cache that the pages of a server read."""

from __future__ import annotations

from pathlib import Path

import msgspec

from compile_lessons.files import write_atomically
from compile_lessons.project import Project


class Progress(msgspec.Struct):
    """The snippets that run now, and how many of all have ended."""

    total: int
    ended: int = 0
    running: list[str] = []


def write_progress(project: Project, progress: Progress) -> None:
    _file(project).parent.mkdir(parents=True, exist_ok=True)
    write_atomically(_file(project), msgspec.json.encode(progress))


def read_progress(project: Project) -> Progress | None:
    """Return the progress of the run that is under way; ``None`` before it has begun and after its end."""
    try:
        return msgspec.json.decode(_file(project).read_bytes(), type=Progress)
    except (OSError, msgspec.DecodeError):
        return None


def end_progress(project: Project) -> None:
    _file(project).unlink(missing_ok=True)


def _file(project: Project) -> Path:
    return project.cache / "progress.json"

"""Between a run in the background and the pages of a server: how far the run is, and what a reader waits for.

Both are small files in the cache.
"""

from __future__ import annotations

from pathlib import Path

import msgspec

from compile_lessons.ground.files import write_atomically
from compile_lessons.ground.project import Project


class RunProgress(msgspec.Struct):
    """The snippets that run now, and how many of all have ended. Before the first one of a run has ``begun``, torch is
    loaded."""

    total: int
    ended: int = 0
    running: list[str] = []
    begun: bool = False

    def __str__(self) -> str:
        done = f"{self.ended} of {self.total} snippets are done"
        return done if self.begun else f"{done}, and torch is being loaded for the others, which takes up to a minute"


def write_progress(project: Project, progress: RunProgress) -> None:
    _write(_file(project), progress)


def read_progress(project: Project) -> RunProgress | None:
    """Return the progress of the run that is under way; ``None`` before it has begun and after its end."""
    try:
        return msgspec.json.decode(_file(project).read_bytes(), type=RunProgress)
    except (OSError, msgspec.DecodeError):
        return None


def end_progress(project: Project) -> None:
    _file(project).unlink(missing_ok=True)
    _wanted(project.cache).unlink(missing_ok=True)


def want(project: Project, names: list[str]) -> None:
    """Have the run that is under way take these snippets next: a reader looks at their page. Those of pages that were
    looked at before come after them."""
    before = [name for name in read_wanted(project.cache) if name not in names]
    _write(_wanted(project.cache), [*names, *before])


def read_wanted(cache: Path) -> list[str]:
    """Return the snippets that a reader waits for."""
    try:
        return msgspec.json.decode(_wanted(cache).read_bytes(), type=list[str])
    except FileNotFoundError:
        return []


def _wanted(cache: Path) -> Path:
    return cache / "wanted.json"


def _write(path: Path, data: RunProgress | list[str]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    write_atomically(path, msgspec.json.encode(data))


def _file(project: Project) -> Path:
    return project.cache / "progress.json"

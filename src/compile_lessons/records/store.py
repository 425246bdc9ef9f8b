"""Where records are kept: CPU records in the cache folder, recordings of GPU runs beside their snippets."""

from __future__ import annotations

import contextlib
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

from compile_lessons.project import CACHE_VARIABLE, Project, ProjectError
from compile_lessons.records.record import InvalidRecord, Record


class StoreError(ProjectError):
    """The cache folder cannot be written; the message names it and the remedy."""


class Store:
    """Records by key. A file that is missing, cut short or not a record is a miss."""

    def __init__(self, project: Project) -> None:
        self.project = project
        self.folder = project.cache / "records"

    def path(self, key: str) -> Path:
        return self.folder / key[:2] / f"{key}.json"

    def get(self, key: str) -> Record | None:
        record = _read(self.path(key))
        return record if record is not None and record.key == key else None

    def put(self, record: Record) -> None:
        """Write atomically: another build sees the old record or the new one, never a part.

        Raises ``StoreError`` if the folder cannot be written or the disk is full.
        """
        write_atomically(self.path(record.key), record.to_json())

    def recording_path(self, name: str) -> Path:
        """Where the recording of a GPU run of ``snippets/<name>`` is committed."""
        return (self.project.snippets / name).with_suffix(".recording.json")

    def recording(self, name: str) -> Record | None:
        return _read(self.recording_path(name))

    def prune(self, keep: set[str]) -> int:
        """Delete every file but the records whose keys are in ``keep``. Returns how many went."""
        gone = [path for path in self._files() if path.stem not in keep]
        for path in gone:
            path.unlink(missing_ok=True)
        return len(gone)

    def _files(self) -> Iterator[Path]:
        yield from (path for path in self.folder.rglob("*") if path.is_file())


def write_atomically(path: Path, text: str) -> None:
    """Write a whole file or none of it. Raises ``StoreError`` naming the path and the remedy."""
    temporary = None
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=".writing-")
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
        os.replace(temporary, path)
    except OSError as error:
        if temporary:
            with contextlib.suppress(FileNotFoundError):
                os.unlink(temporary)
        raise cannot_write(path, error) from error


def cannot_write(path: Path, error: OSError) -> StoreError:
    return StoreError(
        f"cannot write {path}: {error.strerror}. "
        f"Free space or permissions there, or set {CACHE_VARIABLE} to a folder you can write to."
    )


def _read(path: Path) -> Record | None:
    try:
        return Record.from_json(path.read_text(encoding="utf-8"))
    except (OSError, InvalidRecord, UnicodeDecodeError):
        return None

"""Where records are kept: records of builds in the cache folder, recordings beside their snippets."""

import os
import shutil
import time
from pathlib import Path

import psutil

from compile_lessons.course.records.record import Record
from compile_lessons.ground.files import write_atomically
from compile_lessons.ground.project import CACHE_VARIABLE, Project, ProjectError

#: In a folder of runs: the number of the process that runs them.
_OWNER = "owner"
_DAY = 24 * 3600.0
_WEEK = 7 * _DAY
_MONTH = 30 * _DAY


class StoreError(ProjectError):
    """A record or the cache folder cannot be written; the message names the path and the remedy."""

    def __init__(self, path: Path, error: OSError) -> None:
        super().__init__(
            f"cannot write {path}: {error.strerror}. "
            f"Fix: free space or permissions there, or set {CACHE_VARIABLE} to a folder you can write to"
        )


class DamagedRecording(ProjectError):
    """A recording is there, and not as it was written; the message names its file."""


class Store:
    """Records by key. A file that is missing, cut short, changed or not a record is a miss."""

    def __init__(self, project: Project) -> None:
        self.project = project
        self.folder = project.cache / "records"

    def path(self, key: str) -> Path:
        return self.folder / key[:2] / f"{key}.json"

    def get(self, key: str) -> Record | None:
        return _read(self.path(key))

    def put(self, record: Record) -> None:
        """Write a record. Raises ``StoreError`` if the folder cannot be written or the disk is full."""
        _write(self.path(record.key), record)

    def recording_path(self, name: str) -> Path:
        """Where the recording of ``snippets/<name>`` is committed."""
        return (self.project.snippets / name).with_suffix(".recording.json")

    def recording(self, name: str) -> Record | None:
        """Return the recording of a snippet, ``None`` if it has none. Raises ``DamagedRecording``."""
        path = self.recording_path(name)
        if not path.exists():
            return None
        try:
            return Record.from_json(path.read_text(encoding="utf-8"))
        except (OSError, ValueError) as error:
            raise DamagedRecording(f"{path.relative_to(self.project.root)} can't be used: {error}") from None

    def put_recording(self, record: Record) -> None:
        """Write a record beside its snippet, unless it failed. Raises ``StoreError`` as ``put`` does."""
        if record.failure is None:
            _write(self.recording_path(record.snippet), record)

    def prune(self, keys: set[str]) -> int:
        """Delete records that are not of ``keys`` and older than a week, as another checkout may need them; compiled
        objects and headers older than a month; and folders of runs that were cut off. Returns how many files went."""
        cache = self.project.cache
        old = [path for path in _files(self.folder) if path.stem not in keys and _age(path) > _WEEK]
        old += [path for kind in ("objects", "headers") for path in _files(cache / kind) if _age(path) > _MONTH]
        cut_off = [folder for folder in (cache / "runs").glob("*") if _age(folder) > _DAY and not _is_owned(folder)]
        count = len(old) + sum(len(_files(folder)) for folder in cut_off)
        for path in old:
            path.unlink(missing_ok=True)
        for folder in cut_off:
            shutil.rmtree(folder)
        return count


def note_owner(folder: Path) -> None:
    """Note that a folder of runs is this process's, so that ``prune`` keeps it. Raises ``OSError``."""
    (folder / _OWNER).write_text(str(os.getpid()))


def _is_owned(folder: Path) -> bool:
    """Whether the process that runs something in the folder is there: a server may wait for days."""
    try:
        return psutil.pid_exists(int((folder / _OWNER).read_text()))
    except (OSError, ValueError):
        return False


def _files(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file()]


def _age(path: Path) -> float:
    return time.time() - path.stat().st_mtime


def _write(path: Path, record: Record) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(path, (record.to_json() + "\n").encode())
    except OSError as error:
        raise StoreError(path, error) from error


def _read(path: Path) -> Record | None:
    try:
        return Record.from_json(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None

"""The learner's folder: one file for each lab that was started, and a small JSON file with what is done."""

import contextlib
import os
import shlex
from collections.abc import Iterator
from pathlib import Path

import msgspec

from compile_lessons.ground.files import write_atomically
from compile_lessons.labs.lab import Lab, LabError, labs_from

#: Where the labs are, below the working directory, if the learner names no other folder.
FOLDER = "labs"
_NAME = ".progress.json"


class SavedProgress(msgspec.Struct):
    """What the JSON file holds: the slugs of labs that are done, how many hints were read of which lab, and the lab
    that was started or checked last."""

    done: list[str] = []
    hints: dict[str, int] = {}
    last: str | None = None


class Progress:
    """The learner's folder; each change is written at once."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.file = folder / _NAME
        self.state = SavedProgress()
        try:
            if folder.is_file():
                raise LabError(f"{folder} is a file. Fix: name a folder with --dir")
            if self.file.exists():
                self.state = msgspec.json.decode(self.file.read_bytes(), type=SavedProgress)
        except (msgspec.DecodeError, RecursionError) as error:
            raise LabError(f"{self.file} is not understood: {error}. Fix: delete it; your answers stay") from None
        except OSError as error:
            fix = "Fix: move it away, or name another folder with --dir; your answers stay"
            raise LabError(f"{self.file} can't be read: {error.strerror}. {fix}") from None

    def path(self, lab: Lab) -> Path:
        """Return where the learner's answer is."""
        return self.folder / f"{lab.slug}.py"

    def is_started(self, lab: Lab) -> bool:
        return self.path(lab).exists()

    def answer(self, lab: Lab) -> Path:
        """Return where the learner's answer is. Raises ``LabError`` if the lab has not been started."""
        path = self.path(lab)
        if not self.is_started(lab):
            command = f"compile-lessons lab start {lab.facts.number}{dir_option(self.folder)}"
            raise LabError(f"no {path}. Fix: {command}")
        return path

    def current(self) -> Lab | None:
        """Return the lab that was started or checked last, or the one to do after it."""
        return next((lab for lab in labs_from(self.state.last) if lab.slug not in self.state.done), None)

    def start(self, lab: Lab) -> bool:
        """Write the stub. Returns ``False``, and keeps the file, if it is there."""
        self.state.last = lab.slug
        self._write()
        with self._changing():
            try:
                with self.path(lab).open("x", encoding="utf-8") as file:
                    file.write(lab.stub)
            except FileExistsError:
                return False
        return True

    def mark(self, lab: Lab, done: bool) -> None:
        others = [slug for slug in self.state.done if slug != lab.slug]
        self.state.done = [*others, lab.slug] if done else others
        self.state.last = lab.slug
        self._write()

    def next_hint(self, lab: Lab) -> int:
        """Count one more hint as read. Returns how many are to be shown."""
        read = min(self.state.hints.get(lab.slug, 0) + 1, len(lab.facts.hints))
        self.state.hints[lab.slug] = read
        self._write()
        return read

    def reset(self, lab: Lab) -> Path:
        """Put the stub back. Returns where the answer is kept: the first free name of ``shapes.py.1``, ``….2``, …"""
        path, number = self.answer(lab), 1
        while (backup := path.with_name(f"{path.name}.{number}")).exists():
            number += 1
        with self._changing():
            path.rename(backup)
        self.start(lab)
        self.state.hints.pop(lab.slug, None)
        self.mark(lab, done=False)
        return backup

    def _write(self) -> None:
        with self._changing():
            self.folder.mkdir(parents=True, exist_ok=True)
            write_atomically(self.file, msgspec.json.format(msgspec.json.encode(self.state)))

    @contextlib.contextmanager
    def _changing(self) -> Iterator[None]:
        """Raise ``LabError`` where the system allows no change in the folder."""
        try:
            yield
        except OSError as error:
            fix = "Fix: free space or permissions there, or name another folder with --dir"
            raise LabError(f"{self.folder} can't be written to: {error.strerror}. {fix}") from None


def mark_checked(lab: Lab, file: Path, done: bool) -> None:
    """Mark a lab whose file was checked by itself, if ``lab start`` has written that file."""
    progress = Progress(file.parent)
    if progress.file.exists() and file.name == progress.path(lab).name:
        progress.mark(lab, done)


def dir_option(folder: str | Path | None) -> str:
    """Return what a command needs to find this folder: ``" --dir FOLDER"``, or nothing for the one it finds itself."""
    if folder is None or Path(folder).resolve() == _default_folder().resolve():
        return ""
    return f" --dir {shlex.quote(os.path.relpath(folder))}"


def find_progress(folder: str | None) -> Progress:
    """Return the learner's folder: the one that is named, the working directory if labs are in it, else ``labs``."""
    return Progress(_default_folder() if folder is None else Path(folder))


def _default_folder() -> Path:
    try:
        here = Path.cwd()
    except FileNotFoundError:
        raise LabError("the working directory has been deleted. Fix: change to another one") from None
    inside = (here / _NAME).exists() and here.name == FOLDER
    return here if inside else Path(os.path.relpath(here / FOLDER))

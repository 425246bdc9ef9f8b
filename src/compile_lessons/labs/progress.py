"""The learner's folder: one file for each lab that was started, and a small JSON file with what is done."""

from __future__ import annotations

import os
import shlex
from pathlib import Path

import msgspec

from compile_lessons.ground.files import write_atomically
from compile_lessons.labs.lab import Lab, LabError, labs

#: Where the labs are, below the working directory, if the learner names no other folder.
FOLDER = "labs"
_NAME = ".progress.json"


class State(msgspec.Struct):
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
        self.state = State()
        if self.file.exists():
            try:
                self.state = msgspec.json.decode(self.file.read_bytes(), type=State)
            except msgspec.DecodeError as error:
                raise LabError(f"{self.file} is not understood: {error}. Fix: delete it; your answers stay") from None

    def path(self, lab: Lab) -> Path:
        """Return where the learner's answer is."""
        return self.folder / f"{lab.slug}.py"

    def is_started(self, lab: Lab) -> bool:
        return self.path(lab).exists()

    def current(self) -> Lab | None:
        """Return the lab that was started or checked last, or the one to do after it."""
        every = labs()
        at = next((i for i, lab in enumerate(every) if lab.slug == self.state.last), 0)
        todo = [lab for lab in every[at:] + every[:at] if lab.slug not in self.state.done]
        return todo[0] if todo else None

    def start(self, lab: Lab) -> bool:
        """Write the stub. Returns ``False``, and keeps the file, if it is there."""
        self.state.last = lab.slug
        self._write()
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
        path = self.path(lab)
        if not path.exists():
            raise LabError(f"no {path}: there is nothing to reset. Fix: compile-lessons lab start {lab.facts.number}")
        number = 1
        while (backup := path.with_name(f"{path.name}.{number}")).exists():
            number += 1
        path.rename(backup)
        self.start(lab)
        self.state.hints.pop(lab.slug, None)
        self.mark(lab, done=False)
        return backup

    def _write(self) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        write_atomically(self.file, msgspec.json.format(msgspec.json.encode(self.state)))


def dir_option(folder: str | Path | None) -> str:
    """Return what a command needs to find this folder: ``" --dir FOLDER"``, or nothing for the one it finds itself."""
    if folder is None or Path(folder).resolve() == find_progress(None).folder.resolve():
        return ""
    return f" --dir {shlex.quote(os.path.relpath(folder))}"


def find_progress(folder: str | None) -> Progress:
    """Return the learner's folder: the one that is named, the working directory if labs are in it, else ``labs``."""
    if folder is not None:
        return Progress(Path(folder))
    here = Path.cwd()
    inside = (here / _NAME).exists() and here.name == FOLDER
    return Progress(here if inside else Path(os.path.relpath(here / FOLDER)))

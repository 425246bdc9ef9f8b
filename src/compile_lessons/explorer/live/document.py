"""The reader's file on the disk: read, saved, and looked at, as the reader's own editor may write it too."""

import threading
from pathlib import Path

from compile_lessons.explorer.live.state import State
from compile_lessons.ground.errors import ProjectError
from compile_lessons.ground.files import write_atomically
from compile_lessons.ground.reading import read_text


class Conflict(Exception):
    """The file has changed since the editor took its text."""


class Document:
    """A file, the text that the editor last took from it or wrote to it, and the state that shows it."""

    def __init__(self, path: Path, state: State) -> None:
        self.path, self.state = path, state
        self._saved = state.shown.text
        self._seen = _mark(path)
        self._lock = threading.RLock()

    def edit(self, text: str, version: int) -> None:
        """Note what the editor holds, which began with this version of the text."""
        with self._lock:
            conflict = self.state.shown.conflict or version < self.state.shown.version
            self.state.set(text=text, unsaved=text != self._saved, conflict=conflict, note="")

    def save(self, text: str, version: int) -> None:
        """Write the editor's text. Raises ``Conflict``, and ``OSError`` where it can't be written."""
        with self._lock:
            self.edit(text, version)
            self.look()
            if self.state.shown.conflict:
                raise Conflict
            windows = self.path.exists() and b"\r\n" in self.path.read_bytes()
            write_atomically(self.path, (text.replace("\n", "\r\n") if windows else text).encode("utf-8"))
            self._saved, self._seen = text, _mark(self.path)
            self.state.set(unsaved=False, note=f"{self.path.name} is saved.")

    def keep(self) -> None:
        """Keep the editor's text: the next save writes it over the file's."""
        with self._lock:
            self._seen = _mark(self.path)
            self.state.set(conflict=False, unsaved=True, note="")

    def load(self) -> None:
        """Have the editor take the file's text. Raises ``ProjectError`` where there is none."""
        with self._lock:
            self._seen = _mark(self.path)
            self._take(text_of(self.path))

    def look(self) -> bool:
        """Look whether the file has changed. Return whether the editor takes its text."""
        with self._lock:
            mark = _mark(self.path)
            if mark == self._seen:
                return False
            self._seen = mark
            if mark is None:
                self.state.set(unsaved=True, note=f"{self.path.name} is gone. Save writes it again.")
                return False
            try:
                text = text_of(self.path)
            except ProjectError as error:
                self.state.set(note=str(error))
                return False
            if text == self._saved:
                self.state.set(unsaved=self.state.shown.text != text, note="")
            elif self.state.shown.text == text:
                self._saved = text
                self.state.set(unsaved=False, conflict=False, note="")
            elif self.state.shown.unsaved:
                self.state.set(conflict=True)
            else:
                self._take(text)
                return True
            return False

    def _take(self, text: str) -> None:
        self._saved = text
        version = self.state.shown.version + 1
        self.state.set(text=text, version=version, unsaved=False, conflict=False, note=f"{self.path.name} is loaded.")


def text_of(path: Path) -> str:
    """Return the text of a file, its lines ending as in the editor. Raises ``ProjectError``."""
    return read_text(path).replace("\r\n", "\n").replace("\r", "\n")


def _mark(path: Path) -> tuple[int, int, int] | None:
    """Return what changes when a file does; ``None`` if it is not there."""
    try:
        stat = path.stat()
    except OSError:
        return None
    return stat.st_mtime_ns, stat.st_size, stat.st_ino

"""Have a server show what a run in the background has done."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import Literal

from compile_lessons.ground.project import Project
from compile_lessons.records.progress import RunProgress, write_progress
from compile_lessons.records.runner import SnippetOutcome
from compile_lessons.site.pages import Use

#: Seconds between two times that a server is woken.
_WAKE_EVERY = 3.0
Server = Literal["on-demand", "mkdocs", "zensical"]


class Waker:
    """Has a server show the snippets that are done, a few at a time.

    MkDocs builds again where the time of a page is new, Zensical where a watched file was written to. A server that
    renders pages on demand looks for new records itself.
    """

    def __init__(self, project: Project, uses: list[Use], total: int, server: Server) -> None:
        self.project, self.uses, self.server = project, uses, server
        self.progress = RunProgress(total=total)
        self.done_names: set[str] = set()
        self.woke = time.monotonic()
        write_progress(project, self.progress)

    def started(self, name: str) -> None:
        self.progress.running.append(name)
        self.progress.begun = True
        write_progress(self.project, self.progress)

    def done(self, outcome: SnippetOutcome) -> None:
        self.progress.ended += 1
        self.progress.running = [name for name in self.progress.running if name != outcome.name]
        write_progress(self.project, self.progress)
        if outcome.how == "cached":
            return
        self.done_names.add(outcome.name)
        if time.monotonic() - self.woke > _WAKE_EVERY:
            self.wake()
            self.done_names = {outcome.name}  # the end wakes in any case

    def wake(self) -> None:
        """Wake the server: at the end, what was edited during this run waits for the server to start the next one."""
        if self.server == "mkdocs":
            for page in {use.page for use in self.uses if use.name in self.done_names}:
                os.utime(self.project.root / page)
        if self.server == "zensical":
            for name in self.done_names:
                _write_again(self.project.snippets / name)
        self.woke = time.monotonic()


def _write_again(path: Path) -> None:
    """Write the first byte of a file, as it is, and give the file a time that is another in whole seconds, which
    Zensical compares. It compares pages by their text."""
    before = path.stat().st_mtime
    with path.open("r+b") as file:
        first = file.read(1)
        file.seek(0)
        file.write(first)
    os.utime(path, (time.time(), max(time.time(), before + 1)))

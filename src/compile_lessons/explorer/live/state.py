"""What the page shows, shared by the threads of the server."""

import threading
from typing import Any

import msgspec

from compile_lessons.explorer.live.messages import Answer, CompileProblem, Names, Panes, Ready, RunText, Settings

#: Pages of panes that a browser may still ask for.
_PAGES = 4


class Shown(msgspec.Struct, frozen=True, kw_only=True):
    """What the page shows. A new ``version`` of the ``text`` replaces what the editor holds.

    ``run`` is the number of the last run and ``running`` whether it goes on. ``panes`` is the page of the last run
    that came to a ``stage``, ``panes_run``, after ``seconds``. ``unsaved`` says whether the file has another text, and
    ``conflict`` whether it has changed meanwhile.
    """

    file: str
    path: str
    text: str
    version: int = 1
    settings: Settings
    can_save: bool
    ready: bool = False
    run: int = 0
    running: bool = False
    names: list[str] = []
    chosen: str = ""
    panes: str = ""
    panes_run: int = 0
    stage: str = ""
    seconds: float = 0.0
    problem: CompileProblem | None = None
    output: str = ""
    unsaved: bool = False
    conflict: bool = False
    note: str = ""


class State:
    """``Shown``, and the pages of panes. Those who wait hear of every change."""

    def __init__(self, shown: Shown) -> None:
        self.shown = shown
        self.changes = 0
        self.ended = False
        #: The number of the last tab that has opened the page: it alone edits, as there is one text.
        self.tab = 0
        self._pages: dict[str, str] = {}
        self._changed = threading.Condition(threading.RLock())

    def set(self, **values: Any) -> None:
        """Change what is shown."""
        with self._changed:
            self.shown = msgspec.structs.replace(self.shown, **values)
            self.changes += 1
            self._changed.notify_all()

    def take_over(self) -> int:
        """Return the number of a new tab, and let the one before it hear that it has been replaced."""
        with self._changed:
            self.tab += 1
            self.set()
            return self.tab

    def end(self) -> None:
        """Let those who wait go."""
        self.ended = True
        self.set()

    def after(self, seen: int, seconds: float) -> tuple[int, Shown]:
        """Wait for a change after ``seen``, at most so many seconds. Return the last change, and what is shown."""
        with self._changed:
            self._changed.wait_for(lambda: self.changes != seen or self.ended, seconds)
            return self.changes, self.shown

    def begin(self, settings: Settings) -> RunText:
        """Return a new run of the text with these settings."""
        with self._changed:
            self.set(run=self.shown.run + 1, running=True, settings=settings, output="")
            return RunText(run=self.shown.run, text=self.shown.text, settings=settings)

    def page(self, name: str) -> str | None:
        """Return a page of panes."""
        with self._changed:
            return self._pages.get(name)

    def take(self, answer: Answer) -> None:
        """Take in what the worker tells. What is about an earlier run is left out."""
        with self._changed:
            if isinstance(answer, Ready):
                self.set(ready=True)
            elif answer.run != self.shown.run:
                return
            elif isinstance(answer, Names):
                self.set(names=answer.names, chosen=answer.chosen)
            elif isinstance(answer, Panes):
                self._take_panes(answer)
            else:
                self.set(running=False, problem=answer.problem, output=answer.output)

    def _take_panes(self, panes: Panes) -> None:
        name = f"{panes.run}-{panes.stage}"
        self._pages[name] = panes.html
        for old in list(self._pages)[:-_PAGES]:
            del self._pages[old]
        self.set(panes=name, panes_run=panes.run, stage=panes.stage, seconds=panes.seconds, problem=None)

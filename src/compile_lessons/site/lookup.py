"""Find the record a page asks for; run what is missing.

In a build the page waits: the first record that is missing makes one run of every snippet that needs one. While
serving it does not: the run goes on in the background and wakes the server for each page it completes. After an edit,
only what the edited pages show is looked at.
"""

from __future__ import annotations

import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from compile_lessons.project import Project
from compile_lessons.records.machine import missing
from compile_lessons.records.plan import Plan, find_record, plan
from compile_lessons.records.record import Record, SnippetFailure
from compile_lessons.records.store import Store


@dataclass(frozen=True)
class Shown:
    """What a page can show of a snippet: its record, or the reason why there is none; neither while it runs."""

    plan: Plan
    record: Record | None = None
    failure: SnippetFailure | None = None
    lacking: str | None = None


class Lookup:
    """Records for one build or one server; ``serving`` decides whether a missing record is waited for."""

    def __init__(self, project: Project, serving: bool | None = None) -> None:
        self.project = project
        self.store = Store(project)
        self.serving = "serve" in sys.argv[1:] if serving is None else serving
        self.edited: list[str] | None = None  # pages that a server has shown, and that have changed; None at its start
        self._background: subprocess.Popen[bytes] | None = None
        self._asked_for: set[str] = set()
        self._status: int | None = None
        self._shown: dict[str, Shown] = {}

    def find(self, name: str) -> Shown:
        """Return what can be shown now. Raises ``SnippetError`` if the snippet cannot be read."""
        if self.serving:  # the next answer may be another
            return self._find(name)
        if name not in self._shown:
            self._shown[name] = self._find(name)
        return self._shown[name]

    def _find(self, name: str) -> Shown:
        item = plan(self.project, name)
        record, failure = find_record(self.store, item)
        if record is None:
            if lacking := missing(item.snippet.declared.needs):
                return Shown(item, lacking=lacking)
            if item.key not in self._asked_for:
                self._bring_up_to_date(name, item.key)
                record, failure = find_record(self.store, item)
        if record is None and not (self.serving and self._still_running()):
            message = f"has no record: 'compile-lessons run' ended with status {self._status}"
            failure = SnippetFailure(message=message, remedy="run it in a terminal to see why")
        return Shown(item, record, failure)

    def _bring_up_to_date(self, name: str, key: str) -> None:
        command = [sys.executable, "-m", "compile_lessons", "run"]
        if not self.serving:
            self._asked_for.add(key)
            if self._status is None:
                self._status = subprocess.run(command, cwd=self.project.root, stdout=sys.stderr).returncode
        elif not self._still_running():
            self._asked_for.add(key)
            started = Path(sys.argv[0])  # ".venv/bin/zensical" or "zensical/__main__.py"
            server = "zensical" if "zensical" in (started.stem, started.parent.name) else "mkdocs"
            command += ["--wake", server, *([] if self.edited is None else [name, *self.edited])]
            self._background = subprocess.Popen(command, cwd=self.project.root, stdout=sys.stderr)

    def _still_running(self) -> bool:
        if self._background is not None:
            self._status = self._background.poll()
        return self._background is not None and self._status is None

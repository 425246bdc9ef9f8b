"""Find the record a page asks for; run what is missing.

In a build the page waits: the first record that is missing makes one run of every snippet that needs one. While
serving it does not: a run in the background makes the record, and the server shows it then.
"""

import sys
from dataclasses import dataclass
from pathlib import Path

from compile_lessons.course.records.plan import Plan, find_record, plan
from compile_lessons.course.records.record import Record, SnippetFailure
from compile_lessons.course.records.store import Store
from compile_lessons.course.site.background import RUN, BackgroundRun, ended_without_record, this_server
from compile_lessons.ground.processes import start
from compile_lessons.ground.project import Project
from compile_lessons.runs.machine import missing
from compile_lessons.runs.pool import CAN_FORK

#: Where the names of this package's own files begin, among the sources of a record.
_PACKAGE = "compile_lessons/"


@dataclass(frozen=True)
class Found:
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
        self.run = BackgroundRun(project)
        self.files: set[Path] = set()  # what the answers depend on, until the server clears it
        self.pending: dict[str, str] = {}  # snippets whose records were missing, with the keys of those
        self._status: int | None = None
        self._shown: dict[str, Found] = {}
        if self.serving and CAN_FORK and this_server() == "zensical":  # loads torch for the first edit
            self.run.start()

    def find(self, name: str) -> Found:
        """Return what can be shown now. Raises ``SnippetError`` if the snippet cannot be read."""
        if self.serving:  # the next answer may be another
            return self._find(name)
        if name not in self._shown:
            self._shown[name] = self._find(name)
        return self._shown[name]

    def _find(self, name: str) -> Found:
        path = self.project.snippets / name
        self.files |= {path, path.parent}  # a folder changes where a module or a recording is new
        item = plan(self.project, name)
        self.files |= {self.project.root / source for source in item.sources if not source.startswith(_PACKAGE)}
        record, failure = find_record(self.store, item)
        if record is not None:
            self.run.has_record(name)
        elif failure is None:
            if lacking := missing(item.snippet.declared.needs):
                return Found(item, lacking=lacking)
            if self.serving:
                self.run.ask_for(name, item.key)
                failure = self.run.failure(item.key)
                if failure is None:
                    self.pending[name] = item.key
            else:
                if self._status is None:
                    with start(RUN, cwd=self.project.root, stdout=sys.stderr) as run:
                        self._status = run.wait()
                record, failure = find_record(self.store, item)
                if record is None and failure is None:
                    failure = ended_without_record(self._status)
        return Found(item, record, failure)

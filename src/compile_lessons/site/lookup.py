"""Find the record a page asks for; run what is missing.

In a build the page waits: the first record that is missing makes one run of every snippet that needs one. While
serving it does not: the run goes on in the background, and the server shows what is done. After an edit, only what the
edited pages show is looked at, by a command that stands by with torch loaded. A snippet that is edited while the first
run goes on has a run of its own.
"""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

from compile_lessons.ground.processes import start
from compile_lessons.ground.project import COURSE, Project
from compile_lessons.records.machine import missing
from compile_lessons.records.plan import Plan, find_record, plan
from compile_lessons.records.pool import CAN_FORK
from compile_lessons.records.progress import read_progress
from compile_lessons.records.record import Record, SnippetFailure
from compile_lessons.records.store import Store
from compile_lessons.site.pages import Use, read_page
from compile_lessons.site.stand_by import RUN, StandBy

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
        self.edited: list[Path] | None = None  # the pages that a server is to render; all if None
        self.on_demand = False  # whether the server looks for new records itself; a run wakes others
        self.files: set[Path] = set()  # what the answers depend on, until the server clears it
        self.pending: dict[Path, str] = {}  # records that were asked for while they were missing, with their snippets
        self._background: subprocess.Popen[bytes] | None = None
        self._began = 0  # in nanoseconds
        self._stand_by: StandBy | None = None
        self._edit: subprocess.Popen[bytes] | None = None
        self._edited_name = ""
        self._asked_for: dict[str, str] = {}  # the key of a snippet, until it has a record
        self._status: int | None = None
        self._shown: dict[str, Found] = {}

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
        if record is None and failure is None:
            if lacking := missing(item.snippet.declared.needs):
                return Found(item, lacking=lacking)
            if self._asked_for.get(name) != item.key:
                self._bring_up_to_date(item)
                record, failure = find_record(self.store, item)
        if record is not None:
            self._asked_for.pop(name, None)  # what it was before is run again if it comes back
        elif failure is None and self.serving and self.is_running():
            self.pending[self.store.path(item.key)] = name
        elif failure is None:
            message = f"has no record: '{COURSE} run' ended with status {self._status}"
            failure = SnippetFailure(message=message, remedy="run it in a terminal to see why")
        return Found(item, record, failure)

    def _bring_up_to_date(self, item: Plan) -> None:
        if not self.serving:
            self._asked_for[item.snippet.name] = item.key
            if self._status is None:
                with start(RUN, cwd=self.project.root, stdout=sys.stderr) as run:
                    self._status = run.wait()
        elif not self.is_running():
            self._asked_for[item.snippet.name] = item.key
            self._start(self._shown_on_edited_pages())
        elif self.on_demand and not _goes_on(self._edit) and self._is_edited(item):
            self._asked_for[item.snippet.name] = item.key
            if self._stand_by and self._stand_by.goes_on():
                self._start([item.snippet.name])
                return
            self._edited_name = item.snippet.name
            command = [*RUN, "--no-spinner", self._edited_name]
            self._edit = start(command, cwd=self.project.root, stdout=sys.stderr)

    def _start(self, names: list[str]) -> None:
        """Run these snippets; none stands for all."""
        self._began = time.time_ns()
        if names and self._stand_by and self._stand_by.can_run():
            self._stand_by.run(names)
            return
        if self._stand_by:
            self._stand_by.end()
            self._stand_by = None
        command = [*RUN, "--no-spinner", "--server", self._server(), *names]
        self._background = start(command, cwd=self.project.root, stdout=sys.stderr)

    def stand_by(self) -> None:
        """Have torch loaded for the next edit, unless it is or a run goes on."""
        if self._stand_by is None and CAN_FORK and not self.is_running():
            self._stand_by = StandBy(self.project)

    def end_runs(self) -> None:
        """Interrupt the commands that this server has started, as Ctrl-C in its terminal would."""
        stand_by = self._stand_by.process if self._stand_by else None
        for process in (self._background, self._edit, stand_by):
            if process is not None and process.poll() is None:
                process.send_signal(signal.SIGINT)

    def _is_edited(self, item: Plan) -> bool:
        """Whether a snippet has changed since the run began that goes on."""
        sources = [self.project.root / source for source in item.sources if not source.startswith(_PACKAGE)]
        return any(source.stat().st_mtime_ns > self._began for source in sources)

    def _shown_on_edited_pages(self) -> list[str]:
        """Return the names of the snippets to look at; none stands for all."""
        items = [item for page in self.edited or [] for item in read_page(page.read_text(encoding="utf-8"), page.name)]
        return sorted({item.name for item in items if isinstance(item, Use)})

    def _server(self) -> str:
        started = Path(sys.argv[0])  # ".venv/bin/zensical" or "zensical/__main__.py"
        if "zensical" in (started.stem, started.parent.name):
            return "zensical"
        return "on-demand" if self.on_demand else "mkdocs"

    def is_running(self) -> bool:
        """Whether a run that this server has started goes on."""
        if self._background is not None:
            self._status = self._background.poll()
        edited_again = self._stand_by is not None and self._stand_by.goes_on()
        return edited_again or _goes_on(self._background) or _goes_on(self._edit)

    def running(self) -> frozenset[str]:
        """Return the snippets that run now."""
        progress = read_progress(self.project)
        edited = [self._edited_name] if _goes_on(self._edit) else []
        return frozenset([*(progress.running if progress else []), *edited])


def _goes_on(process: subprocess.Popen[bytes] | None) -> bool:
    return process is not None and process.poll() is None

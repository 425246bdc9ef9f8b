"""The command that runs snippets for a server, from both ends."""

import contextlib
import os
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Literal

import msgspec

from compile_lessons.course.records.executor import Inbox
from compile_lessons.course.records.plan import plan
from compile_lessons.course.records.progress import Request, RunProgress
from compile_lessons.course.records.record import SnippetFailure
from compile_lessons.course.records.runner import SnippetOutcome
from compile_lessons.course.records.snippet import SnippetError
from compile_lessons.course.records.store import Store
from compile_lessons.ground.files import modified
from compile_lessons.ground.processes import start
from compile_lessons.ground.project import COURSE, Project

RUN = (sys.executable, "-m", "compile_lessons.course", "run")
#: Seconds between two times that Zensical is made to build again.
_BUILD_EVERY = 3.0
Server = Literal["mkdocs", "zensical"]


class BackgroundRun:
    """A server's end: one command runs what is asked for, with torch loaded once, until the package is edited."""

    def __init__(self, project: Project) -> None:
        self.project = project
        self.progress = RunProgress()
        self.process: subprocess.Popen[bytes] | None = None
        self._began = 0  # in nanoseconds
        self._asked: dict[str, str] = {}  # the keys of snippets without a record

    def start(self) -> None:
        """Start the command, in place of one that has begun before an edit of the package."""
        if self.process and self.process.stdin:
            self.process.stdin.close()  # which ends it
        self._began, self.progress, pipe = time.time_ns(), RunProgress(), subprocess.PIPE
        self.process = start([*RUN, "--server", this_server()], cwd=self.project.root, stdin=pipe, stdout=pipe)
        threading.Thread(target=self._read_progress, args=[self.process], daemon=True).start()
        self.send(Request(self._asked))

    def _read_progress(self, process: subprocess.Popen[bytes]) -> None:
        assert process.stdout
        for line in process.stdout:
            if process is self.process:
                self.progress = msgspec.json.decode(line, type=RunProgress)

    def ask_for(self, name: str, key: str) -> None:
        """Have a snippet run, once for each key."""
        if self._asked.get(name) == key:
            return
        self._asked[name] = key
        package = Path(__file__).parents[2].rglob("*.py")
        if self.goes_on() and all(modified(file) < self._began for file in package):
            self.send(Request({name: key}))
        else:
            self.start()

    def has_record(self, name: str) -> None:
        """Forget what was asked for: what the snippet was before is run again if it comes back."""
        self._asked.pop(name, None)

    def send(self, request: Request) -> None:
        if self.process and self.process.stdin:
            with contextlib.suppress(BrokenPipeError):  # it has ended: ``goes_on`` says so
                self.process.stdin.write(msgspec.json.encode(request) + b"\n")
                self.process.stdin.flush()

    def goes_on(self) -> bool:
        return self.process is not None and self.process.poll() is None

    def is_busy(self) -> bool:
        return self.goes_on() and self.progress.left > 0

    def running(self) -> frozenset[str]:
        """Return the snippets that run now."""
        return frozenset(self.progress.running if self.is_busy() else ())

    def failure(self, key: str) -> SnippetFailure | None:
        """Return why a record that was asked for can't come any more; ``None`` if its snippet runs or waits."""
        if self.process is None or self.process.poll() is None:
            return self.progress.without_record.get(key)
        return ended_without_record(self.process.returncode)


def this_server() -> Server:
    command = Path(sys.argv[0])  # ".venv/bin/zensical" or "zensical/__main__.py"
    return "zensical" if "zensical" in (command.stem, command.parent.name) else "mkdocs"


def ended_without_record(status: int | None) -> SnippetFailure:
    message = f"has no record: '{COURSE} run' ended with status {status}"
    return SnippetFailure(message=message, remedy="run it in a terminal to see why")


def read_requests(inbox: Inbox) -> None:
    """Pass on what the server asks for, until it ends."""
    with open(0, "rb", closefd=False) as lines:
        for line in lines:
            inbox.put(msgspec.json.decode(line, type=Request))
    inbox.put(None)


class RunReport:
    """The command's end: tells the server how far the run is."""

    def __init__(self, project: Project, server: Server) -> None:
        self.project, self.server = project, server
        self.progress = RunProgress()
        self._not_shown: set[str] = set()
        self._built = time.monotonic()

    def planned(self, left: int) -> None:
        if not self.progress.left:
            self.progress.ended = 0
        self.progress.left = left
        self._tell()

    def started(self, name: str) -> None:
        if name not in self.progress.running:  # with its text before an edit
            self.progress.running.append(name)
        self.progress.begun = True
        self._tell()

    def done(self, outcome: SnippetOutcome) -> None:
        if outcome.name not in self.progress.running:  # it had a record, or can't be read, which its page says
            return
        self.progress.running.remove(outcome.name)
        self.progress.ended += 1
        self.progress.left -= 1
        if outcome.failure:
            with contextlib.suppress(SnippetError):  # edited since
                key = plan(self.project, outcome.name).key
                if not Store(self.project).path(key).exists():
                    self.progress.without_record[key] = outcome.failure
        self._tell()
        self._not_shown.add(outcome.name)
        may_build = not self.progress.left or time.monotonic() - self._built > _BUILD_EVERY
        if self.server == "zensical" and may_build:
            self._have_zensical_build()

    def _tell(self) -> None:
        sys.stdout.buffer.write(msgspec.json.encode(self.progress) + b"\n")
        sys.stdout.buffer.flush()

    def _have_zensical_build(self) -> None:
        """Write the first byte of each file, as it is, and give the file a time that is another in whole seconds, which
        Zensical compares. It compares pages by their text."""
        for path in (self.project.snippets / name for name in self._not_shown):
            before = path.stat().st_mtime
            with path.open("r+b") as file:
                first = file.read(1)
                file.seek(0)
                file.write(first)
            os.utime(path, (time.time(), max(time.time(), before + 1)))
        self._not_shown.clear()
        self._built = time.monotonic()

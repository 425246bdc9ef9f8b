"""Have an answer checked: in a process of its own, with limits on time and memory."""

from __future__ import annotations

import contextlib
import os
import re
import secrets
import signal
import subprocess
import sys
import tempfile
import warnings
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from compile_lessons.ground import processes
from compile_lessons.ground.printing import say
from compile_lessons.ground.project import CACHE_VARIABLE
from compile_lessons.labs import judge
from compile_lessons.labs.lab import (
    CHECKS_VARIABLE,
    FILE_VARIABLE,
    REPORT_VARIABLE,
    SECRET_VARIABLE,
    Lab,
    LabError,
    find_lab,
)
from compile_lessons.labs.progress import mark_checked
from compile_lessons.labs.report import LabReport, show_report
from compile_lessons.runs import pool
from compile_lessons.runs.child import RUN_VARIABLE, Job
from compile_lessons.runs.machine import missing
from compile_lessons.runs.pool import Finished

if TYPE_CHECKING:  # also what records.sources follows from "from compile_lessons.labs import check"
    from compile_lessons.labs import exam  # noqa: F401


class Examiner:
    """Checks answers, one after the other. ``warm`` keeps a process that has torch loaded, and forks it for each."""

    def __init__(self, warm: bool = False, cache: Path | None = None) -> None:
        self.cache = cache or own_cache()
        self.warm = warm and pool.CAN_FORK
        self._judge: subprocess.Popen[bytes] | None = None
        self._compiles = False
        self._env: dict[str, str] = {}

    def __enter__(self) -> Examiner:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def prepare(self, lab: Lab) -> None:
        """Start the process that stays, so that it has loaded torch when it is needed. Returns at once."""
        compiler = "compiler" in lab.facts.needs
        lacks = (compiler and not self._compiles) or lab.facts.env != self._env
        if self._judge and lacks:
            self.close()  # it has not loaded what compiles C++, or has loaded torch without these variables
        if self._judge is None:
            self._compiles, self._env = compiler, lab.facts.env
            self._judge = self._start()

    def close(self) -> None:
        """End the process that stays."""
        if self._judge is not None:
            self._judge.communicate()  # it ends when its input does
            self._judge = None

    def examine(self, lab: Lab, file: Path) -> LabReport:
        """Check an answer. Raises ``LabError`` if the file can't be read."""
        file = file.resolve()
        if early := _without_a_run(lab, file):
            return early
        with tempfile.TemporaryDirectory(prefix="lab-") as folder:
            job = self._job(lab, file, Path(folder).resolve())
            secret = secrets.token_hex()
            Path(job.env[SECRET_VARIABLE]).write_text(secret)
            with open(job.env[REPORT_VARIABLE], "xb+") as reports:
                finished = judge.run_to_end(job) if _in_a_recorded_run() else self._ask(lab, job)
                return _report(lab, file, job, finished, reports.read(), secret)

    def _job(self, lab: Lab, file: Path, folder: Path) -> Job:
        inductor = Path(os.environ["TORCHINDUCTOR_CACHE_DIR"]) if _in_a_recorded_run() else self.cache / "inductor"
        inductor.mkdir(parents=True, exist_ok=True)
        job = Job(
            name=str(Path(__file__).with_name("exam.py")),
            folder=str(folder),
            root=str(file.parent),
            inductor_cache=str(inductor),
            headers=str(self.cache / "headers") if "compiler" in lab.facts.needs else "",
            env={
                **lab.facts.env,
                FILE_VARIABLE: str(file),
                CHECKS_VARIABLE: str(lab.checks),
                REPORT_VARIABLE: str(folder / "reports"),
                SECRET_VARIABLE: str(folder / "secret"),
            },
            timeout=lab.facts.timeout,
            memory=lab.facts.memory * 2**20,
            fork=self.warm or _in_a_recorded_run(),
        )
        job.file.write_bytes(msgspec.json.encode(job))
        return job

    def _ask(self, lab: Lab, job: Job) -> Finished:
        for _ in range(2):  # the process may have died of the answer before
            self.prepare(lab)
            assert self._judge and self._judge.stdin and self._judge.stdout
            with contextlib.suppress(BrokenPipeError):
                self._judge.stdin.write(msgspec.json.encode(job) + b"\n")
                self._judge.stdin.flush()
                if line := self._judge.stdout.readline():
                    return msgspec.json.decode(line, type=Finished)
            self._judge = None
        return Finished(folder=job.folder, killed="its parent process died")

    def _start(self) -> subprocess.Popen[bytes]:
        warm = ("compiler" if self._compiles else "eager") if self.warm else "none"
        command = [sys.executable, "-P", "-m", "compile_lessons.labs.judge", warm, str(self.cache)]
        pipe = subprocess.PIPE
        return processes.start(command, stdin=pipe, stdout=pipe, env={**os.environ, **self._env})


def check(name: str, file: str) -> None:
    """Check a file and print how it fared. The last lines of each stub call this."""
    path = Path(file)
    try:
        lab = find_lab(name)
        with Examiner() as examiner:
            report = examiner.examine(lab, path)
        mark_checked(lab, path, report.state == "done")
    except LabError as error:
        say(f"error: {error}", error=True)
        sys.exit(2)
    shown = _as_started(lab, path)
    show_report(lab, report, shown, f"python {os.path.relpath(shown)}")


def _as_started(lab: Lab, file: Path) -> Path:
    """Return where a learner has the file: a lab's page shows the stub and the solution of the course."""
    return Path("labs", f"{lab.slug}.py") if file.resolve().parent == lab.folder.resolve() else file


def _in_a_recorded_run() -> bool:
    """Whether this process is itself the run of a snippet: a fork of one that has torch loaded."""
    return RUN_VARIABLE in os.environ and pool.CAN_FORK


def _without_a_run(lab: Lab, file: Path) -> LabReport | None:
    """Return the report on what needs no process: a file that isn't there, isn't Python, or is still the stub."""
    try:
        source = file.read_text(encoding="utf-8-sig")
        with warnings.catch_warnings(action="ignore"):  # the run shows them
            compile(source, file, "exec", dont_inherit=True)
        if lab.is_untouched(source):
            return LabReport(state="not done yet", message=f"{_as_started(lab, file).name} is still the stub.")
    except FileNotFoundError:
        raise LabError(f"no {file}. Fix: compile-lessons lab start {lab.facts.number}") from None
    except OSError as error:
        raise LabError(f"{file} can't be read: {error.strerror}. Fix: put a file there that you may read") from None
    except UnicodeDecodeError as error:
        raise LabError(f"{file} can't be read: {error}. Fix: save it as UTF-8 text") from None
    except (RecursionError, MemoryError) as error:
        message = f"{type(error).__name__}: an expression is nested too deeply for Python to compile it"
        return LabReport(state="raised", message=message)
    except SyntaxError as error:
        trace = [f"line {error.lineno}: {(error.text or '').strip()}"]
        return LabReport(state="raised", message=f"{type(error).__name__}: {error.msg}", trace=trace)
    except ValueError as error:  # a null byte, for Python 3.11.3 and older
        return LabReport(state="raised", message=f"ValueError: {error}")
    lacking = missing(lab.facts.needs)
    return LabReport(state="needs", message=f"The lab {lacking}.") if lacking else None


def _report(lab: Lab, file: Path, job: Job, finished: Finished, written: bytes, secret: str) -> LabReport:
    """Return the last report that the process wrote; say why it ended, if it came to no end of its own.

    An answer is right if each check of the lab has passed and the report has the secret, which the checks read last.
    """
    report = _decode(written.splitlines()[-1]) if written else LabReport(state="ended")
    output = job.output.read_bytes() if job.output.exists() else b""
    report.printed = output.decode(errors="replace")
    if finished.killed or report.state == "ended":
        report.state = "ended"
        report.message = _why_ended(lab, job, finished)
        report.trace = _last_line(job, file)
    elif finished.left:
        report.state, report.failed = "ended", ""
        report.message = f"Your code left processes behind: {', '.join(finished.left)}. Wait for them or stop them."
    elif report.state == "done" and (report.secret, report.passed) != (secret, list(lab.titles)):
        report.state, report.passed = "wrong", []
        report.message = "Your code wrote the report itself, or changed what the checks do. Change your answer instead."
    return report


def _decode(line: bytes) -> LabReport:
    try:
        return msgspec.json.decode(line, type=LabReport)
    except (msgspec.DecodeError, RecursionError):
        return LabReport(
            state="wrong",
            message="The report on your code can't be read, because something else was written into it. Does your code "
            "write to a file descriptor that it didn't open?",
        )


def _why_ended(lab: Lab, job: Job, finished: Finished) -> str:
    used = f"{finished.peak_memory / 2**20:.0f} MiB"
    if finished.killed == "processor":
        return (
            f"It was still running after {job.timeout:g} s of processor time, the limit of this lab. Is there an "
            "endless loop? If the computer hadn't loaded torch since it was started, check again."
        )
    if finished.killed == "idle":
        return f"It was still waiting after {job.timeout:g} s. Does it sleep, or wait for a lock or another process?"
    if finished.killed == "memory":
        return f"It used {used} with the processes that it started; the limit of this lab is {lab.facts.memory} MiB."
    if finished.killed == "output":
        return f"It printed more than {pool.MOST_OUTPUT // 2**20} MiB."
    if finished.killed:
        return f"It did not finish: {finished.killed}."
    if finished.status < 0:
        return f"Its process died of {signal.Signals(-finished.status).name}. Code outside Python crashed."
    return f"Its process ended with status {finished.status} before the checks did, as after `os._exit`."


def _last_line(job: Job, file: Path) -> list[str]:
    """Return the innermost line of the learner's file in the stack that was written at the end, if it is there."""
    stack = job.fault.read_text(errors="replace") if job.fault.exists() else ""
    match = re.search(rf'File "{re.escape(str(file))}", line (\d+)', stack)
    if match is None:
        return []
    return [f"line {match[1]}: {file.read_text(encoding='utf-8').splitlines()[int(match[1]) - 1].strip()}"]


def own_cache() -> Path:
    """Return the folder that ``COMPILE_LESSONS_CACHE`` names, else one among the user's caches, which only they enter.

    Raises ``LabError`` if it can't be made, or is another user's: compiled code is loaded from it.
    """
    named = os.environ.get(CACHE_VARIABLE)
    fix = f"Fix: set {CACHE_VARIABLE} to a folder of your own"
    try:
        folder = Path(named).absolute() if named else _user_caches() / "compile-lessons"
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if not named and hasattr(os, "getuid"):
            if (owner := folder.stat().st_uid) != os.getuid():
                raise LabError(f"{folder} belongs to another user (id {owner}), whose compiled code would run. {fix}")
            folder.chmod(0o700)
    except (OSError, RuntimeError) as error:  # RuntimeError: there is no home
        raise LabError(f"there is no folder for compiled code: {error}. {fix}") from None
    return folder


def _user_caches() -> Path:
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches"
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    named = Path(os.environ.get("XDG_CACHE_HOME", ""))  # a relative one is to be ignored
    return named if named.is_absolute() else Path.home() / ".cache"

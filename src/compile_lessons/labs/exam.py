"""Inside the process of one check: import the learner's file, run the checks, write down how each ended."""

import contextlib
import errno
import importlib.util
import inspect
import os
import sys
import traceback
import types
from pathlib import Path
from typing import BinaryIO, cast

import msgspec
import torch

from compile_lessons.ground.errors import message_of
from compile_lessons.labs.lab import CHECKS_VARIABLE, FILE_VARIABLE, REPORT_VARIABLE, SECRET_VARIABLE
from compile_lessons.labs.report import LabReport
from compile_lessons.labs.work import Work, refuse_settings
from compile_lessons.labs.wrong import NotDone, Wrong


def main() -> None:
    file, checks = Path(os.environ[FILE_VARIABLE]), Path(os.environ[CHECKS_VARIABLE])
    reports, secret = _open(REPORT_VARIABLE, "ab"), _open(SECRET_VARIABLE, "rb")
    report, passed = LabReport(state="ended"), tuple[str, ...]()
    encode, refuse_changes = msgspec.json.Encoder().encode, _refuse_changes  # out of reach of the learner's code
    sys.modules["__main__"] = types.ModuleType("__main__")  # so that an answer that imports it doesn't get this file
    # Not the folder of this file, whose modules a learner's "import report" is not to find.
    sys.path[0] = str(file.parent)
    try:
        own = tuple(value for name, value in vars(_module("_checks", checks)).items() if name.startswith("check_"))
        before = _parts_of_checks()
        module = _module("_answer", file)
        refuse_changes(before)
        work = Work(module, file.read_text(encoding="utf-8-sig"))
        report.notes = work.notes
        for function in own:
            report.failed = function.__name__
            report.passed = list(passed)
            _write(encode(report), reports)  # a check that never ends is named, too
            function(work)
            refuse_changes(before)
            passed += (function.__name__,)
        report = LabReport(state="done", passed=list(passed), notes=work.notes, secret=secret.read().decode())
    except NotDone as error:
        report.state, report.message = "not done yet", str(error)
    except Wrong as error:
        report.state, report.message, report.lesson = "wrong", str(error), error.lesson
    except BaseException as error:
        _note(report, error, file)
    _write(encode(report), reports)


def _open(variable: str, mode: str) -> BinaryIO:
    """Open a file that the parent has named, and take its name away, so that no other code opens it."""
    path = os.environ.pop(variable)
    opened = open(path, mode, buffering=0)  # noqa: SIM115 (open until the process ends)
    with contextlib.suppress(PermissionError):  # Windows keeps the name of a file that is open
        os.unlink(path)
    return cast(BinaryIO, opened)


def _module(name: str, path: Path) -> types.ModuleType:
    """Import a file under a name that no other module has."""
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def _parts_of_checks() -> dict[str, object]:
    """Return what the checks consist of, by name: what is in the modules of the labs, and the code of each function."""
    modules = [name for name in sys.modules if name.startswith("compile_lessons.labs") or name == "_checks"]
    parts = {f"{name}.{key}": value for name in modules for key, value in vars(sys.modules[name]).items()}
    parts |= {f"exam.{key}": value for key, value in globals().items() if inspect.isfunction(value)}
    parts |= {"torch.compile": torch.compile, "torch.testing.assert_close": torch.testing.assert_close}
    for name, value in list(parts.items()):
        if isinstance(value, type) and value.__module__ in modules:
            parts |= {f"{name}.{key}": method for key, method in vars(value).items() if inspect.isfunction(method)}
    functions = {name: value for name, value in parts.items() if inspect.isfunction(value)}
    return parts | {f"{name}.__code__": inspect.unwrap(value).__code__ for name, value in functions.items()}


def _refuse_changes(before: dict[str, object]) -> None:
    """Raise ``Wrong`` where the learner's code has replaced a part of the checks, or changed a setting."""
    now = _parts_of_checks()
    for name, value in before.items():
        if now.get(name) is not value:
            raise Wrong(f"Your file replaces `{name}`, which the checks need. Change your answer instead.")
    refuse_settings()


def _note(report: LabReport, error: BaseException, file: Path) -> None:
    """Write an exception down as the learner's, with their lines."""
    frames = traceback.extract_tb(error.__traceback__)
    own = [frame for frame in frames if frame.filename == str(file)]
    if isinstance(error, SyntaxError) and error.filename == str(file):
        own = [traceback.FrameSummary(str(file), error.lineno or 0, "<module>", line=error.text or "")]
    report.state, report.ours = "raised", not own
    report.message = f"{type(error).__name__}: {message_of(error)}"
    if not own:
        last = frames[-1]
        report.message = f"The check could not use what your code returned ({last.line}). {report.message}"
    report.trace = [f"line {frame.lineno}, in {frame.name}: {frame.line}" for frame in own]


def _write(report: bytes, reports: BinaryIO) -> None:
    """Write a report, one line. Where the learner's code has closed the file, the report before stands."""
    try:
        reports.write(report + b"\n")
    except OSError as error:
        if error.errno != errno.EBADF:
            raise


if __name__ == "__main__":
    main()

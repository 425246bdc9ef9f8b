"""Inside the process of one check: import the learner's file, run the checks, write down how each ended."""

from __future__ import annotations

import importlib.util
import os
import sys
import traceback
import types
from pathlib import Path

import msgspec
import torch

from compile_lessons import api
from compile_lessons.ground.errors import message_of
from compile_lessons.ground.files import write_atomically
from compile_lessons.labs.lab import CHECKS_VARIABLE, FILE_VARIABLE
from compile_lessons.labs.report import Report
from compile_lessons.labs.work import Work, refuse_settings
from compile_lessons.labs.wrong import NotDone, Wrong
from compile_lessons.records.child import RUN_VARIABLE


def main() -> None:
    file, checks = Path(os.environ[FILE_VARIABLE]), Path(os.environ[CHECKS_VARIABLE])
    target = Path(os.environ[RUN_VARIABLE], "report.json")
    report = Report(state="ended")
    # Not the folder of this file, whose modules a learner's "import report" is not to find.
    sys.path[0] = str(file.parent)
    try:
        own = [value for name, value in vars(_module("_checks", checks)).items() if name.startswith("check_")]
        before = _names_of_ours()
        module = _module("_answer", file)
        _refuse_changes(before)
        work = Work(module, file.read_text(encoding="utf-8"))
        report.notes = work.notes
        for function in own:
            report.failed = function.__name__
            _write(report, target)  # a check that never ends is named, too
            function(work)
            _refuse_changes(before)
            report.passed.append(function.__name__)
        report.state, report.failed = "done", ""
    except NotDone as error:
        report.state, report.message = "not done yet", str(error)
    except Wrong as error:
        report.state, report.message, report.lesson = "wrong", str(error), error.lesson
    except BaseException as error:
        _note(report, error, file)
    _write(report, target)


def _module(name: str, path: Path) -> types.ModuleType:
    """Import a file under a name that no other module has."""
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def _names_of_ours() -> dict[tuple[str, str], object]:
    """Return what the checks consist of: the names in the modules of the labs, ``capture`` and ``torch.compile``."""
    ours = [name for name in sys.modules if name.startswith("compile_lessons.labs") or name == "_checks"]
    names = {(name, key): value for name in ours for key, value in vars(sys.modules[name]).items()}
    names["torch", "compile"] = torch.compile
    names["compile_lessons.api", "capture"] = api.capture
    return names


def _refuse_changes(before: dict[tuple[str, str], object]) -> None:
    """Raise ``Wrong`` where the learner's code has replaced a name of ours, or changed a setting."""
    for (name, key), value in before.items():
        if getattr(sys.modules[name], key, None) is not value:
            raise Wrong(f"Your file replaces `{name}.{key}`, which the checks need. Change your answer instead.")
    refuse_settings()


def _note(report: Report, error: BaseException, file: Path) -> None:
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


def _write(report: Report, target: Path) -> None:
    write_atomically(target, msgspec.json.encode(report))


if __name__ == "__main__":
    main()

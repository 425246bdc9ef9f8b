"""pytest: ``pytest -p compile_lessons.labs.plugin labs/shapes.py`` checks the answer in that file, as one test."""

import io
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from rich.console import Console

from compile_lessons.labs.examiner import Examiner
from compile_lessons.labs.lab import Lab, LabError, find_lab
from compile_lessons.labs.progress import mark_checked
from compile_lessons.labs.report import show_report

#: The last line of each stub: ``check("shapes", __file__)``.
_CALL = re.compile(r'check\("\w+", __file__\)')


class _Answer(pytest.File):
    """A file that ends with the call of ``check`` that each stub has."""

    def collect(self) -> Iterator[pytest.Item]:
        yield _Check.from_parent(self, name="answer")


class _Check(pytest.Item):
    def runtest(self) -> None:
        lab = _lab(self.path)
        assert lab is not None
        with Examiner() as examiner:
            report = examiner.examine(lab, self.path)
        mark_checked(lab, self.path, report.state == "done")
        text = io.StringIO()
        show_report(lab, report, self.path, f"pytest -p {__name__} {self.path.name}", Console(file=text, width=100))
        if report.state != "done":
            raise _NotDone(text.getvalue())

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: object = None) -> str:
        if isinstance(excinfo.value, _NotDone | LabError):
            return str(excinfo.value)
        return str(super().repr_failure(excinfo))

    def reportinfo(self) -> tuple[Path, None, str]:
        return self.path, None, self.path.stem


class _NotDone(Exception):
    """The report on an answer that is not done."""


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    named = parent.session.isinitpath(file_path)  # pytest makes a module of such a file: see below
    return None if named or _lab(file_path) is None else _Answer.from_parent(parent, path=file_path)


@pytest.hookimpl(tryfirst=True)
def pytest_pycollect_makemodule(module_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    """Keep pytest from importing the learner's code into its own process."""
    return None if _lab(module_path) is None else _Answer.from_parent(parent, path=module_path)


def _lab(path: Path) -> Lab | None:
    """Return the lab that a file answers; ``None`` for any other file."""
    if path.suffix != ".py":
        return None
    try:
        calls = _CALL.findall(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError):
        return None
    if not calls:
        return None
    try:
        lab = find_lab(path.stem)
    except LabError:
        return None
    return lab if f'check("{lab.slug}", __file__)' in calls else None

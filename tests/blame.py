"""The order of blame: what a failed test prints ends with the snippets and pages that it looked at.

``conftest.py`` has these hooks; fixtures that find a record call ``look_at``.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from compile_lessons.ground.project import Project
from compile_lessons.site.pages import read_pages

ROOT = Path(__file__).parents[1]
_looked_at: list[str] = []


def look_at(name: str) -> None:
    """Note that the test which runs now looks at a file, such as ``snippets/dynamo/guards/causes.py``."""
    _looked_at.append(name)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup() -> None:
    _looked_at.clear()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Function) -> Iterator[None]:
    report: Any = yield
    if report.failed and (names := _named_by(item)):
        report.sections.append(("what it looked at", "; ".join(names)))
    return report


def _named_by(item: pytest.Function) -> list[str]:
    """The files that a test's parameters name or its fixtures found, and the page that its browser shows."""
    names = list(_looked_at)
    if hasattr(item, "callspec"):
        names += [name for value in item.callspec.params.values() for name in _files(value)]
    uses = read_pages(Project(ROOT))[0] if names else []
    shown = {name: [use.place for use in uses if f"snippets/{use.name}" == name] for name in names}
    named = [f"{name}, shown on {', '.join(places)}" if places else name for name, places in shown.items()]
    browsed = [getattr(value, "url", "") for value in getattr(item, "funcargs", {}).values()]
    return [*named, *(address for address in browsed if isinstance(address, str) and address)]


def _files(value: object) -> Iterator[str]:
    """The page or snippet that a parameter names: ``docs/index.md``, ``index.md``, ``dynamo/guards/causes.py``."""
    for folder in (ROOT, ROOT / "docs", ROOT / "snippets"):
        path = folder / value if isinstance(value, str | Path) else ROOT
        if path.suffix in (".md", ".py", ".ipynb") and path.is_file() and path.is_relative_to(ROOT):
            yield path.relative_to(ROOT).as_posix()
            return

"""Shared fixtures: the course's own project, and small projects made for one test."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from compile_lessons.project import CACHE_VARIABLE, Project
from projects import write_project

ROOT = Path(__file__).parent.parent


@pytest.fixture(scope="session")
def course() -> Project:
    """The course itself, with the cache that builds use."""
    return Project(ROOT)


@pytest.fixture
def make_project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Project]:
    """Make a project of given files: ``make_project({"snippets/a.py": "print(1)", "docs/index.md": "# Home"})``."""
    monkeypatch.delenv(CACHE_VARIABLE, raising=False)

    def make(files: dict[str, str | bytes], name: str = "project") -> Project:
        return write_project(tmp_path / name, files)

    return make

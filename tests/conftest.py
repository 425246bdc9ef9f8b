"""Shared fixtures: the course's own project, and small projects made for one test."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from compile_lessons.project import Project

ROOT = Path(__file__).parent.parent


@pytest.fixture(scope="session")
def course() -> Project:
    """The course itself, with the cache that builds use."""
    return Project(ROOT)


@pytest.fixture
def make_project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Project]:
    """Make a project of given files: ``make_project({"snippets/a.py": "print(1)", "docs/index.md": "# Home"})``."""
    monkeypatch.delenv("COMPILE_LESSONS_CACHE", raising=False)

    def make(files: dict[str, str | bytes], name: str = "project") -> Project:
        root = tmp_path / name
        for path, content in {"mkdocs.yml": "site_name: Test\n", **files}.items():
            file = root / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(content if isinstance(content, bytes) else content.encode())
        for folder in ("docs", "snippets"):
            (root / folder).mkdir(parents=True, exist_ok=True)
        return Project(root)

    return make

"""The course as built, once for every test that looks at it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from small_site import FAILS, small_site

from compile_lessons.project import Project
from compile_lessons.records.runner import run


@pytest.fixture(scope="session")
def small_site_cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The records of the small site's snippets, run once; a record's key does not depend on where a project lies."""
    project = small_site(tmp_path_factory.mktemp("small"), FAILS)
    run(project, project.snippet_names(), fork=False)
    return project.cache


@pytest.fixture(scope="session")
def site(course: Project, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The course, built strictly by MkDocs; the one that ``make build`` left, if nothing has changed since."""
    if _is_current(course):
        return course.root / "site"
    folder = tmp_path_factory.mktemp("built") / "site"
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(folder)]
    subprocess.run(command, cwd=course.root, check=True)
    return folder


def _is_current(course: Project) -> bool:
    """Whether the home page, one of the first that a build writes, is newer than all that the site is made of."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "docs", "snippets", "src", "mkdocs.yml"]
    names = subprocess.run(command, cwd=course.root, check=True, capture_output=True, text=True).stdout.splitlines()
    sources = [*map(course.root.joinpath, names), *(course.cache / "records").rglob("*.json")]
    home = course.root / "site" / "index.html"
    return home.exists() and home.stat().st_mtime > max(path.stat().st_mtime for path in sources if path.exists())

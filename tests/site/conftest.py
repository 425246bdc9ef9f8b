"""The course as built, once for every test that looks at it."""

from __future__ import annotations

import os
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
    """The course, built strictly by MkDocs; ``BUILT_SITE`` names the folder of a build that was just made, as in CI."""
    if built := os.environ.get("BUILT_SITE"):
        return course.root / built
    folder = tmp_path_factory.mktemp("built") / "site"
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(folder)]
    subprocess.run(command, cwd=course.root, check=True)
    return folder

"""The course as built, once for every test that looks at it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from compile_lessons.project import Project


@pytest.fixture(scope="session")
def site(course: Project, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The course, built strictly by MkDocs."""
    folder = tmp_path_factory.mktemp("built") / "site"
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(folder)]
    subprocess.run(command, cwd=course.root, check=True)
    return folder

"""What tests of the runner share."""

from __future__ import annotations

from pathlib import Path

import pytest

from compile_lessons.project import Project


@pytest.fixture(scope="session")
def precompiled_headers(course: Project) -> Path:
    """The precompiled header takes 12 s: the tests' projects link to the course's."""
    folder = course.cache / "headers"
    folder.mkdir(parents=True, exist_ok=True)
    return folder

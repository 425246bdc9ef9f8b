"""Small projects made for a test, and the command run in them."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from compile_lessons.ground.project import CACHE_VARIABLE, Project
from compile_lessons.records.plan import plan
from compile_lessons.records.record import Record
from compile_lessons.records.store import Store


def write_project(root: Path, files: dict[str, str | bytes]) -> Project:
    """A project of given files; its cache lies in it, whatever the environment says."""
    for path, content in {"mkdocs.yml": "site_name: Test\n", **files}.items():
        file = root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content if isinstance(content, bytes) else content.encode())
    for folder in ("docs", "snippets"):
        (root / folder).mkdir(parents=True, exist_ok=True)
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv(CACHE_VARIABLE, raising=False)
        return Project(root)


def record_of(project: Project, name: str) -> Record:
    """The record the store has for a snippet as it stands."""
    found = Store(project).get(plan(project, name).key)
    assert found is not None, f"no record of {name}"
    return found


def command_line(project: Project, *arguments: str, **options: object) -> subprocess.Popen[str]:
    """Start ``compile-lessons`` in the project's root, in a process group of its own, its output in pipes."""
    env = {name: value for name, value in os.environ.items() if name != CACHE_VARIABLE}
    return subprocess.Popen(
        [sys.executable, "-m", "compile_lessons", *arguments],
        cwd=project.root,
        env={**env, **options.pop("env", {})},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        **options,
    )

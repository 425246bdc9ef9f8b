"""Small projects made for a test, and the command run in them."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from compile_lessons.course.records.plan import plan
from compile_lessons.course.records.record import SCHEMA, Output, Record
from compile_lessons.course.records.store import Store
from compile_lessons.ground.project import CACHE_VARIABLE, Project

#: A record without a run, to be changed with dataclasses.replace.
RECORD = Record(
    snippet="a.py",
    title="A",
    key="k" * 64,
    sources={"snippets/a.py": "0" * 64},
    command="python snippets/a.py",
    torch="2.13.0",
    triton=None,
    python="3.12.1",
    device="cpu",
    isa="x86-64 AVX2",
    cores=2,
    caches="empty",
    date="2026-01-01T00:00:00+00:00",
    duration=1.5,
    peak_memory=10,
    outputs=[Output("text é\n"), Output("table", {"text/html": "<table>"})],
    values={"i": 1, "f": 0.5, "b": True, "s": "x"},
    warnings=["UserWarning: w"],
    varies=False,
    verified=False,
    raised=None,
    failure=None,
    gpu=None,
    schema=SCHEMA,
)


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
    """Start the authors' command in the project's root, in a process group of its own, its output in pipes."""
    env = {name: value for name, value in os.environ.items() if name != CACHE_VARIABLE}
    return subprocess.Popen(
        [sys.executable, "-m", "compile_lessons.course", *arguments],
        cwd=project.root,
        env={**env, **options.pop("env", {})},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        **options,
    )

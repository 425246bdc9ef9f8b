"""A snippet has at least 10 lines, and a page shows at most 40 of them: not the header and not the checks.

The files of labs are as long as their tasks need, and test_readable.py counts what pages show of a finished folder.
"""

from pathlib import Path

import pytest

from compile_lessons.ground.project import Project
from compile_lessons.records.snippet import load_snippet

PROJECT = Project(Path(__file__).parents[2])


@pytest.mark.parametrize("name", PROJECT.snippet_names())
def test_length(name: str) -> None:
    snippet = load_snippet(PROJECT, name)
    assert len(snippet.path.read_text(encoding="utf-8").splitlines()) >= 10
    folders = [path for path in snippet.path.parents if path.is_relative_to(PROJECT.snippets)]
    finished = any((folder / "ruff.toml").exists() for folder in folders)
    assert len(snippet.program().splitlines()) <= 40 or finished or name.startswith("labs/")

"""A snippet has 10 to 40 lines. Helper modules, whose names begin with an underscore, are not snippets."""

from pathlib import Path

import pytest

from compile_lessons.project import Project

PROJECT = Project(Path(__file__).parents[2])


@pytest.mark.parametrize("name", PROJECT.snippet_names())
def test_length(name: str) -> None:
    lines = (PROJECT.snippets / name).read_text(encoding="utf-8").splitlines()
    assert 10 <= len(lines) <= 40

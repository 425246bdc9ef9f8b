"""A snippet has at least 10 lines. How many a page shows at most is in test_readable.py."""

from pathlib import Path

import pytest

from compile_lessons.ground.project import Project

PROJECT = Project(Path(__file__).parents[2])


@pytest.mark.parametrize("name", PROJECT.snippet_names())
def test_length(name: str) -> None:
    assert len((PROJECT.snippets / name).read_text(encoding="utf-8").splitlines()) >= 10

"""A lesson that ``python -m compile_lessons.course new`` starts: fit, runs, and ``check`` finds nothing."""

from pathlib import Path

import pytest
from test_lessons import test_a_lesson_has_its_parts_in_order as has_its_parts
from test_lessons import test_a_lesson_is_written as is_written
from test_lessons import test_a_lesson_shows_programs_and_leads_on as leads_on

from compile_lessons.course.new import new_lesson
from compile_lessons.course.records.runner import run_snippets
from compile_lessons.course.site.check import check
from compile_lessons.ground.project import ProjectError
from projects import write_project


def test_a_new_lesson(tmp_path: Path) -> None:
    project = write_project(tmp_path, {"docs/index.md": "# Home", "docs/dynamo/a.md": "# A"})
    (project.root / "mkdocs.yml").write_text(
        "nav:\n  - Dynamo:\n      - A: dynamo/a.md\n      - B: dynamo/b.md\n  - c.md\n"
    )
    page, *snippets, test, menu = new_lesson(project, "dynamo/my-lesson")
    assert "      - B: dynamo/b.md\n      - My lesson: dynamo/my-lesson.md\n  - c.md\n" in menu.read_text()
    assert page == project.docs / "dynamo/my-lesson.md"
    has_its_parts(page)
    leads_on(page)
    assert [outcome.failure for outcome in run_snippets(project, project.snippet_names())] == [None] * len(snippets)
    assert check(project) == []
    compile(test.read_text(), str(test), "exec")
    with pytest.raises(ProjectError, match=r"docs/dynamo/my-lesson\.md is already there"):
        new_lesson(project, "dynamo/my-lesson")
    with pytest.raises(ProjectError, match=r"there is no part 'dinamo'. Fix: name one of dynamo; "):
        new_lesson(project, "dinamo/my-lesson")
    with pytest.raises(AssertionError, match="Why does …"):
        is_written(page)


@pytest.mark.parametrize("name", ["my-lesson", "Dynamo/lesson", "dynamo/../x", "dynamo/a.md", "a/b/c"])
def test_a_name_that_is_none(tmp_path: Path, name: str) -> None:
    with pytest.raises(ProjectError, match="Fix: part/name in lower case"):
        new_lesson(write_project(tmp_path, {"docs/index.md": "# Home"}), name)

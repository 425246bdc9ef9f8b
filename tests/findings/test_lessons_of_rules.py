"""Each lesson that a rule leads to is a page of the course, with the section that it names."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from compile_lessons.ground.site import address

ROOT = Path(__file__).parents[2]
SOURCES = sorted((ROOT / "src" / "compile_lessons" / "findings").rglob("*.py"))
LESSONS = {
    page
    for path in SOURCES
    for page in re.findall(r'"([a-z]+/[a-z-]+(?:#[a-z-]+)?)"', path.read_text(encoding="utf-8"))
}


def test_there_are_lessons() -> None:
    assert {"dynamo/recompiles", "production/serving", "fix/crashes"} <= LESSONS


@pytest.mark.parametrize("lesson", sorted(LESSONS))
def test_the_lesson_is_there(lesson: str) -> None:
    page, _, section = lesson.partition("#")
    text = (ROOT / "docs" / f"{page}.md").read_text(encoding="utf-8")
    titles = {re.sub(r"[^a-z0-9]+", "-", title.lower()) for title in re.findall(r"^#+ (.+)$", text, re.MULTILINE)}
    assert not section or f"#{section} " in text or f"#{section}}}" in text or section in titles
    assert address(lesson).endswith(f"/{page}/" + (f"#{section}" if section else ""))

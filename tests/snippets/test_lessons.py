"""Every lesson has the parts of the template in CONTRIBUTING.md, in their order."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs"
FACTS = "{ .lesson-facts }"
# "9 minutes · needs a C++ compiler · builds on [Guards](guards.md)\n{ .lesson-facts }\n"
LINE_OF_FACTS = re.compile(r"^\d+ minutes? · needs [^·\n]+( · builds on .+)?\n\{ \.lesson-facts \}$", re.M)
PARTS = ("In short", "What goes wrong: ", "Key question", "How it works inside", "Where to go next")
LESSONS = [path for path in sorted(DOCS.rglob("*.md")) if FACTS in path.read_text(encoding="utf-8")]


@pytest.mark.parametrize("page", [path.relative_to(DOCS).as_posix() for path in LESSONS])
def test_a_lesson_has_all_its_parts(page: str) -> None:
    text = (DOCS / page).read_text(encoding="utf-8")
    assert text.startswith("# ") and LINE_OF_FACTS.search(text)
    headings = re.findall(r"^## (.+)$", text, re.M)
    first = [
        next((number for number, heading in enumerate(headings) if heading.startswith(part)), None) for part in PARTS
    ]
    assert None not in first, f"{page}: no part '## {PARTS[first.index(None)]}'"
    assert first == sorted(first) and first[0] == 0 and headings[-1] == PARTS[-1], f"{page}: {headings}"
    key_question, inside = _section(text, "Key question"), _section(text, "How it works inside")
    assert key_question.count('??? question "') == 1
    assert "https://docs.pytorch.org/" in inside and "`torch/" in inside
    assert len(re.findall(r"^- ", _section(text, "Where to go next"), re.M)) >= 2


def _section(text: str, heading: str) -> str:
    return text.split(f"\n## {heading}\n")[1].split("\n## ")[0]

"""What the reference, read from the installed torch, says beside its tables."""

import re
import sys
from pathlib import Path

import pytest
from markdown.extensions.toc import slugify

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "snippets" / "reference" / "torch"))
from _lessons import BREAKS, LESSONS  # noqa: E402  (a helper beside the snippets, which is no package)


@pytest.mark.parametrize(("entry", "lesson"), LESSONS.items())
def test_the_lesson_of_an_entry_names_it(entry: str, lesson: str) -> None:
    page = (ROOT / "docs" / f"{lesson}.md").read_text(encoding="utf-8")
    snippets = [ROOT / "snippets" / name for name in re.findall(r'^ *snippet\("([^"]+)"', page, re.M)]
    texts = [page, *(snippet.read_text(encoding="utf-8") for snippet in snippets)]
    assert any(re.search(rf"(?<![\w.]){re.escape(entry.rpartition('.')[2])}(?!\w)", text) for text in texts)


@pytest.mark.parametrize("lesson", sorted(set(BREAKS.values())))
def test_the_section_of_a_graph_break_is_there(lesson: str) -> None:
    page, _, section = lesson.partition("#")
    headings = re.findall(r"^## (.+)$", (ROOT / "docs" / f"{page}.md").read_text(encoding="utf-8"), re.M)
    assert not section or section in {slugify(heading, "-") for heading in headings}

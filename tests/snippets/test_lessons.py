"""Every lesson has the parts of the template, in its order."""

import re
from pathlib import Path

import pytest

from compile_lessons.course.site.fix_tables import table_of_fixes

DOCS = Path(__file__).parents[2] / "docs"
PARTS_OF_THE_COURSE = ("pipeline", "dynamo", "aot", "inductor", "gpu", "measure", "production", "build")
PAGES = [page for part in PARTS_OF_THE_COURSE for page in sorted((DOCS / part).glob("*.md")) if page.stem != "index"]
# "9 minutes · needs a C++ compiler · builds on [One function](one-function.md)"
FACTS = re.compile(
    r"\d+ minutes · needs (only PyTorch|a C\+\+ compiler|Triton \(Linux\)|no GPU: recorded on an H200)( .*)?"
)
#: The minutes of a page; those of a lab are for the exercise.
STATED = re.compile(r"^(\d+) minutes.*\n\{ \.lesson-facts \}", re.M)
FENCE = re.compile(r"^( *)```.*?^\1``` *$", re.M | re.S)
#: What is not read: the targets of links, attributes, tags, and the line below a table's head.
UNREAD = re.compile(r"\]\([^)]*\)|\{[^}]*\}|<[^>]+>|^\|[-| :]+\|$", re.M)
PARTS = ("## In short", "## What goes wrong: ", "## Key question", "## How it works inside", "## Where to go next")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: f"{page.parent.name}/{page.stem}")
def test_a_lesson_has_its_parts_in_order(page: Path) -> None:
    lines = text_of(page).splitlines()
    assert lines[0].startswith("# ") and FACTS.fullmatch(lines[2]) and lines[3] == "{ .lesson-facts }", lines[:4]
    headings = [line for line in lines if line.startswith("## ")]
    parts = list(dict.fromkeys(part for heading in headings for part in PARTS if heading.startswith(part)))
    assert parts == list(PARTS), f"{page.name}: its parts are {parts}"
    assert headings[0] == PARTS[0] and headings[-1] == PARTS[-1], headings


@pytest.mark.parametrize("page", PAGES, ids=lambda page: f"{page.parent.name}/{page.stem}")
def test_a_lesson_shows_programs_and_leads_on(page: Path) -> None:
    text = text_of(page)
    assert len(re.findall(r"^ *snippet\(", text, re.M)) >= 4
    for part in ('??? question "', "https://docs.pytorch.org/", "`torch/"):
        assert part in text, f"{page.name}: nothing with {part!r}"
    first, *links = re.findall(r"^- (.*(?:\n  .*)*)", text.split("\n## Where to go next\n")[1], re.M)
    assert "`python snippets/" in first or "`compile-lessons " in first, f"{page.name}: nothing to try"
    assert 2 <= len(links) <= 4 and all("](" in link for link in links), f"{page.name}: 2 to 4 links"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: f"{page.parent.name}/{page.stem}")
def test_a_lesson_is_written(page: Path) -> None:
    """Sentences that ``python -m compile_lessons.course new`` leaves open end like this one: "Fix: …"."""
    left = re.findall(r"^ *(?:Why does|Because|Fix:) …\??$", text_of(page), re.M)
    assert not left, f"{page.name}: to be written: {left}"


@pytest.mark.parametrize("page", sorted(DOCS.rglob("*.md")), ids=lambda page: page.relative_to(DOCS).as_posix())
def test_a_page_says_how_long_it_takes(page: Path) -> None:
    """An edit may add a minute; beyond that, the page has to say so."""
    text = page.read_text(encoding="utf-8")
    minutes = estimate(text)
    if minutes is not None:
        stated = int(STATED.findall(text)[0])
        assert abs(stated - minutes) <= max(1, 0.1 * minutes), f"{page.name}: write {minutes} minutes, not {stated}"


def estimate(text: str) -> int | None:
    """Return the minutes of a page: one for 200 words, and half of one for a program."""
    facts = STATED.search(text)
    if not facts:
        return None
    body = text[facts.end() :]
    programs = {*re.findall(r'^ *snippet\("([^"]+)"', body, re.M), *re.findall(r'^ *--8<-- "([^":]+)', body, re.M)}
    tables = map(table_of_fixes, re.findall(r'^catalogue\("([\w-]+)"\)$', body, re.M))
    read = [UNREAD.sub(" ", text) for text in (FENCE.sub("", body), *tables)]
    words = re.findall(r"[^\W_]\S*", "\n".join(read))
    return max(1, round(len(words) / 200 + len(programs) / 2))


def text_of(page: Path) -> str:
    """The page without its front matter."""
    return re.sub(r"\A---\n.*?\n---\n\s*", "", page.read_text(encoding="utf-8"), flags=re.S)

"""Every lesson has the parts of the template, in its order."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from compile_lessons.site.fix_tables import table_of_fixes

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
    lines = _text(page).splitlines()
    assert lines[0].startswith("# ") and FACTS.fullmatch(lines[2]) and lines[3] == "{ .lesson-facts }", lines[:4]
    headings = [line for line in lines if line.startswith("## ")]
    parts = list(dict.fromkeys(part for heading in headings for part in PARTS if heading.startswith(part)))
    assert parts == list(PARTS), f"{page.name}: its parts are {parts}"
    assert headings[0] == PARTS[0] and headings[-1] == PARTS[-1], headings


@pytest.mark.parametrize("page", PAGES, ids=lambda page: f"{page.parent.name}/{page.stem}")
def test_a_lesson_shows_programs_and_leads_on(page: Path) -> None:
    text = _text(page)
    assert len(re.findall(r"^ *snippet\(", text, re.M)) >= 4
    for part in ('??? question "', "https://docs.pytorch.org/", "`torch/"):
        assert part in text, f"{page.name}: nothing with {part!r}"
    first, *links = re.findall(r"^- (.*(?:\n  .*)*)", text.split("\n## Where to go next\n")[1], re.M)
    assert "`python snippets/" in first or "`compile-lessons " in first, f"{page.name}: nothing to try"
    assert 2 <= len(links) <= 4 and all("](" in link for link in links), f"{page.name}: 2 to 4 links"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: f"{page.parent.name}/{page.stem}")
def test_a_lesson_is_written(page: Path) -> None:
    """Sentences that ``python -m compile_lessons.course new`` leaves open end like this one: "Fix: …"."""
    left = re.findall(r"^ *(?:After this lesson you can|Because|Fix:) …$", _text(page), re.M)
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


def test_the_hub_names_how_long_each_part_takes() -> None:
    hub = (DOCS / "learn" / "index.md").read_text(encoding="utf-8")
    facts = r"\]\(\.\./(\w+)/[\w-]+\.md\)\*\*\n\n.*\n\n    (\d+) "
    cards = re.findall(facts + r"(?:lessons|labs), (\d+) minutes\n", hub)
    parts = {part: _minutes(part) for part, *_ in cards}
    assert set(parts) == {*PARTS_OF_THE_COURSE, "labs", "compare"}
    wrong = [
        f"of {part} {count} and {minutes} minutes, write {parts[part][0]} and {parts[part][1]}"
        for part, count, minutes in cards
        if (int(count), int(minutes)) != parts[part]
    ]
    pages = dict(re.findall(facts + r"pages?\n", hub))
    assert set(pages) == {"start", "reference"}
    for part, count in pages.items():
        there = len(list((DOCS / part).rglob("*.md")))
        wrong += [f"of {part} {count} pages, write {there}"] * (int(count) != there)
    lessons = sum(count for part, (count, _) in parts.items() if part != "labs")
    hours = sum(minutes for _, minutes in parts.values()) / 60
    total = f"{lessons} lessons and {parts['labs'][0]} labs, about {hours:.0f} hours"
    home = (DOCS / "index.md").read_text(encoding="utf-8")
    wrong += [f"not: {total}"] * (total not in hub or total not in home)
    assert not wrong, f"docs/learn/index.md (and docs/index.md) says {'; '.join(wrong)}"


def test_each_path_names_its_lessons_and_minutes() -> None:
    """Their titles and minutes are those of the lessons, and the sum is in the path's first line."""
    hub = (DOCS / "learn" / "index.md").read_text(encoding="utf-8").split("\n## ")[0]
    paths = re.findall(r"^- \*\*I .*?(?=^- \*\*I |^</div>)", hub, re.M | re.S)
    assert len(paths) == 4
    for path in paths:
        steps = re.findall(r"^    \d\. \[(.+?)\]\(\.\./(.+?\.md)\), (\d+) minutes: ", path, re.M)
        assert len(steps) == 5, path
        for title, name, minutes in steps:
            text = _text(DOCS / name)
            assert text.startswith(f"# {title}\n") and STATED.findall(text) == [minutes], name
        total = sum(int(minutes) for *_, minutes in steps)
        assert f": five lessons, {total} minutes.\n" in path, f"write {total} minutes"


def _minutes(part: str) -> tuple[int, int]:
    """How many lessons or labs there are in a folder of pages, and how many minutes they take."""
    times = [re.search(r"^(?:Lab \d+ · )?(\d+) minutes · ", _text(page), re.M) for page in (DOCS / part).glob("*.md")]
    minutes = [int(time[1]) for time in times if time]
    return len(minutes), sum(minutes)


def _text(page: Path) -> str:
    """The page without its front matter."""
    return re.sub(r"\A---\n.*?\n---\n\s*", "", page.read_text(encoding="utf-8"), flags=re.S)

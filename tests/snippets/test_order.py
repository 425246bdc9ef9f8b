"""Learn is a course: each lesson builds on earlier ones, and each road on nothing but the lessons before the roads."""

import functools
import itertools
import posixpath
import re
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest
import yaml
from markdown import Markdown
from mkdocs.utils.yaml import get_yaml_loader
from test_lessons import FENCE, text_of

from compile_lessons.course.site import glossary
from compile_lessons.labs import lab as lab_module

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
#: It shows all stages at once, so it may name what later lessons are about.
OVERVIEW = "pipeline/one-function.md"
#: "1. [Guards](../dynamo/guards.md), 10 minutes: when compiled code may run again"
STEP = re.compile(r"^ *(\d+)\. \[(?:Lab (\d+): )?(.+?)\]\(\.\./(.+?\.md)\), (\d+) minutes: \S.*\w$", re.M)


@functools.cache
def _parts() -> dict[str, list[dict[str, str] | dict[str, list[dict[str, str]]] | str]]:
    """Return what is in each tab of the navigation."""
    settings = yaml.load((ROOT / "mkdocs.yml").read_text(encoding="utf-8"), Loader=_Loader)
    return {title: pages for tab in settings["nav"] for title, pages in tab.items()}


class _Loader(get_yaml_loader()):  # type: ignore[misc]
    """Leave out the tags of functions."""


_Loader.add_multi_constructor("tag:yaml.org,2002:python/name:", lambda loader, suffix, node: suffix)


def pages_in(part: object) -> Iterator[str]:
    """Yield the pages of a part of the navigation, in its order."""
    if isinstance(part, str):
        yield part
    for inner in part.values() if isinstance(part, dict) else part if isinstance(part, list) else ():
        yield from pages_in(inner)


#: The lessons of Learn by section: the evening, the lessons for everyone, and the roads.
LEARN = {
    name: [page for page in pages_in(pages) if not page.startswith("labs/")]
    for item in _parts()["Learn"]
    if isinstance(item, dict)
    for name, pages in item.items()
    if isinstance(pages, list)
}
EVENING, EVERYONE, *ROADS = LEARN
LESSONS = [page for pages in LEARN.values() for page in pages]
FRONT = text_of(DOCS / "learn" / "index.md")


def before(page: str) -> list[str]:
    """Return the lessons that a reader of this one has read: of the roads, only its own."""
    [section] = [name for name, pages in LEARN.items() if page in pages]
    path = [*LEARN[EVENING], *(LEARN[EVERYONE] if section != EVENING else []), *(LEARN[section] * (section in ROADS))]
    return path[: path.index(page)]


def builds_on(page: str) -> list[str]:
    """Return the pages that the first line of a lesson or a lab names after "builds on"."""
    facts = re.search(r"^.* minutes · .*(?=\n\{ \.lesson-facts \})", text_of(DOCS / page), re.M)
    assert facts, f"{page}: no line with its facts"
    links = re.findall(r"\]\(([^)#]+\.md)", facts[0].partition("builds on ")[2])
    return [posixpath.normpath(posixpath.join(posixpath.dirname(page), link)) for link in links]


def test_learn_is_short() -> None:
    """36 lessons and 55,000 words can be read to the end."""
    words = sum(len(FENCE.sub("", text_of(DOCS / page)).split()) for page in pages_in(_parts()["Learn"]))
    assert len(LEARN[EVENING]) == 12 and len(ROADS) == 4
    assert len(LESSONS) == len(set(LESSONS)) <= 36
    assert words <= 55_000


@pytest.mark.parametrize("page", LESSONS)
def test_a_lesson_builds_on_earlier_ones(page: str) -> None:
    later = set(builds_on(page)) - set(before(page))
    assert not later, f"{page} builds on {later}. Fix: name an earlier lesson, or change the order in mkdocs.yml"


@pytest.mark.parametrize(("page", "following"), list(itertools.pairwise(LEARN[EVENING])))
def test_a_lesson_of_the_evening_leads_to_the_next(page: str, following: str) -> None:
    ways = text_of(DOCS / page).split("\n## Where to go next\n")[1]
    assert posixpath.relpath(following, posixpath.dirname(page)) in re.findall(r"\]\(([^)#]+\.md)", ways)


@pytest.mark.parametrize("page", LESSONS)
def test_what_goes_wrong_is_in_fix_beyond_the_first_two(page: str) -> None:
    assert text_of(DOCS / page).count("\n## What goes wrong: ") <= 2


@pytest.mark.parametrize("page", LESSONS)
def test_a_term_is_introduced_before_it_is_used(page: str) -> None:
    """By its own lesson, the overview, or a sentence with the term in italics where the course uses it first."""
    known = {anchor for earlier in before(page) for anchor, _ in terms_in(earlier)}
    later = set(LESSONS) - {*before(page), page}
    new = [anchor for anchor, introduced in terms_in(page) if not introduced and anchor not in known]
    early = [anchor for anchor in new if home_of()[anchor] in later and page != OVERVIEW]
    assert not early, f"{page} is the first to use {early}. Fix: say there what it is, in a sentence with *the term*"


@functools.cache
def terms_in(page: str) -> list[tuple[str, bool]]:
    """Return the terms of the glossary that a page uses, and whether the first use of each is emphasized."""
    extensions = ("admonition", "attr_list", "md_in_html", "tables", "pymdownx.details", "pymdownx.tabbed")
    md = Markdown(extensions=[*extensions, glossary.__name__])
    relative_links = SimpleNamespace(file=SimpleNamespace(src_uri=page), run=lambda root: None)
    md.treeprocessors.register(relative_links, "relpath", 0)  # type: ignore[arg-type]
    html = md.convert(FENCE.sub("", text_of(DOCS / page)))
    uses = re.findall(r'(<(?:em|strong)>[^<]*)?<a class="term" href="[^"#]*#([^"]+)"', html)
    return [(anchor, bool(emphasis)) for emphasis, anchor in uses]


@functools.cache
def home_of() -> dict[str, str]:
    """Return the lesson that shows each term."""
    text = (DOCS / glossary.PAGE).read_text(encoding="utf-8")
    lessons = re.findall(r"\]\(\.\./([\w/-]+\.md)\)", text)
    return {term.anchor: lesson for term, lesson in zip(glossary.read_terms(text), lessons, strict=True)}


def test_the_front_has_the_lessons_in_the_order_of_the_navigation() -> None:
    assert [page for *_, page, _ in STEP.findall(FRONT) if not page.startswith("labs/")] == LESSONS


def test_the_navigation_has_the_evening_with_its_labs() -> None:
    [pages] = [item[EVENING] for item in _parts()["Learn"] if isinstance(item, dict) and EVENING in item]
    assert list(pages_in(pages)) == [page for *_, page, _ in sections_of_the_front()[0][1]]


def test_a_lab_of_the_evening_leads_on_to_what_comes_next() -> None:
    """On its page, and in the terminal."""
    steps = [page for *_, page, _ in sections_of_the_front()[0][1]]
    following = [(page, after) for page, after in itertools.pairwise(steps) if page.startswith("labs/")]
    leads = {f"{lab_module.find_lab(slug).page}.md": f"{lesson}.md" for slug, lesson in lab_module.EVENING.items()}
    assert list(leads.items()) == following
    for page, after in following:
        link = rf"\[One evening\]\(\.\./learn/index\.md#evening\)\? → \[.*\]\(\.\./{after}\)$"
        assert re.search(link, text_of(DOCS / page), re.M), page


def sections_of_the_front() -> list[tuple[str, list[tuple[str, ...]]]]:
    """Return the text of each list on the front, with the text before the list, and its steps."""
    parts = re.split(r"(?=^## (?:One|For)|^- \*\*)", FRONT.split("\n## The end")[0], flags=re.M)[1:]
    return [(part, STEP.findall(part)) for part in parts if STEP.search(part)]


@pytest.mark.parametrize(
    ("name", "text", "steps"), [(name, *part) for name, part in zip(LEARN, sections_of_the_front(), strict=True)]
)
def test_a_list_on_the_front_agrees_with_its_pages(name: str, text: str, steps: list[tuple[str, ...]]) -> None:
    """Its titles and minutes are those of the pages, and each lab comes after the lessons that it needs."""
    fix = set(pages_in(_parts()["Fix"]))
    read = set(before(LEARN[name][0]))
    for number, (place, lab, title, page, minutes) in enumerate(steps, 1):
        lines = text_of(DOCS / page)
        assert int(place) == number and lines.startswith(f"# {title}\n"), page
        facts = rf"^Lab {lab} · {minutes} minutes · " if lab else rf"^{minutes} minutes · "
        assert re.search(facts, lines, re.M), f"{page} takes another time than docs/learn/index.md says: {minutes}"
        assert set(builds_on(page)) <= read | (fix if lab else set()), f"{page} builds on {set(builds_on(page)) - read}"
        read.add(page)
    lessons, labs = ([int(step[4]) for step in steps if bool(step[1]) == of_labs] for of_labs in (False, True))
    total = f"{NUMBERS[len(lessons)]} lessons, {sum(lessons)} minutes, and {NUMBERS[len(labs)]} lab"
    total += f"{'s' * (len(labs) > 1)}, {sum(labs)} minutes"
    assert total in text.lower(), f"{name}: write {total}"


def test_the_last_lab_needs_nothing_that_only_a_road_has() -> None:
    [(*_, page, minutes)] = STEP.findall(FRONT.split("\n## The end")[1])
    assert f"· {minutes} minutes ·" in text_of(DOCS / page)
    assert set(builds_on(page)) <= {*LEARN[EVENING], *LEARN[EVERYONE], *pages_in(_parts()["Fix"])}


def test_the_front_and_home_count_the_course() -> None:
    deep = [page for page in pages_in(_parts()["In depth"]) if "\n{ .lesson-facts }\n" in text_of(DOCS / page)]
    labs = [page for page in pages_in(_parts()["Labs"]) if page != "labs/index.md"]
    home = text_of(DOCS / "index.md")
    assert f"\n{len(deep)} more lessons, for those who work on the compiler" in FRONT, len(deep)
    counted = f"{len(LESSONS)} lessons and {len(labs)} labs, and {len(deep)} more lessons in depth"
    assert counted in home, f"docs/index.md: write {counted}"

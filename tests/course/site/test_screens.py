"""How long lessons and pages of Reference are: in screens of 1366 × 860, with the folded parts closed.

Without scripts, a long table to look things up in scrolls in a box; with them, it begins with a few rows.
"""

from collections.abc import Iterator
from pathlib import Path

import pytest

pytestmark = pytest.mark.browser

SCREEN = {"width": 1366, "height": 860}
#: A page that is longer is not read to its end.
LIMIT = 12
#: How far lengths differ between machines: C++ code for another CPU has other lines, as have times in tables.
MARGIN = 0.5


@pytest.fixture(params=[False, True], ids=["without scripts", "with scripts"])
def sized_page(request: pytest.FixtureRequest, browser, address: str) -> Iterator[object]:
    context = browser.new_context(base_url=address, viewport=SCREEN, java_script_enabled=request.param)
    yield context.new_page()
    context.close()


def long_pages(site: Path) -> list[str]:
    """Return the pages with a lesson's facts, and those of Reference."""
    folders = {path.parent: path.read_text(encoding="utf-8") for path in sorted(site.rglob("index.html"))}
    names = {folder.relative_to(site).as_posix(): text for folder, text in folders.items()}
    return [name for name, text in names.items() if name.startswith("reference/") or 'class="lesson-facts"' in text]


def test_no_page_is_longer_than_twelve_screens(sized_page, site: Path) -> None:
    screens = {}
    for name in long_pages(site):
        sized_page.goto(f"/{name}/")
        screens[name] = sized_page.evaluate("document.documentElement.scrollHeight") / SCREEN["height"]
    assert len(screens) > 120
    too_long = {name: round(length, 1) for name, length in screens.items() if length > LIMIT + MARGIN}
    assert too_long == {}, "split it, fold a part, or give a case a page of its own"


def test_the_block_to_copy_is_on_the_first_screen(browser, address: str) -> None:
    """Of each lesson of Learn and each of its labs: all of the block, before any scrolling."""
    context = browser.new_context(base_url=address, viewport=SCREEN)
    page = context.new_page()
    page.goto("/learn/")
    steps = page.locator(".steps li > a:not(.term)").evaluate_all("links => links.map((link) => link.href)")
    ends = {}
    for step in steps:
        page.goto(step)
        box = page.locator(":is(.snippet, .highlight) pre:visible").first.bounding_box()
        ends[step.removeprefix(address)] = box["y"] + box["height"]
    context.close()
    assert len(ends) > 45
    below = {name: end for name, end in ends.items() if end > SCREEN["height"]}
    assert below == {}, "shorten what comes before it"

"""How long lessons are: in screens of 1440 × 900, with the folded parts closed.

They are laid out without scripts, which takes a quarter of the time and changes a length by less than a screen.
"""

from collections.abc import Iterator
from pathlib import Path

import pytest

pytestmark = pytest.mark.browser

SCREEN = {"width": 1440, "height": 900}
#: A lesson that is longer is not read to its end.
LIMIT = 12
#: How far lengths differ between machines: C++ code for another CPU has other lines, as have times in tables.
MARGIN = 0.5


@pytest.fixture
def still_page(browser, address: str) -> Iterator[object]:
    context = browser.new_context(base_url=address, viewport=SCREEN, java_script_enabled=False)
    yield context.new_page()
    context.close()


def lessons(site: Path) -> list[str]:
    """Return the pages with a lesson's facts; those of labs are no lessons, and *Versions* is tables."""
    folders = {path.parent: path.read_text(encoding="utf-8") for path in sorted(site.rglob("index.html"))}
    names = [folder.relative_to(site).as_posix() for folder, text in folders.items() if 'class="lesson-facts"' in text]
    return [name for name in names if name.split("/")[0] != "labs" and name != "reference/versions"]


def test_no_lesson_is_longer_than_twelve_screens(still_page, site: Path) -> None:
    screens = {}
    for name in lessons(site):
        still_page.goto(f"/{name}/")
        screens[name] = still_page.evaluate("document.documentElement.scrollHeight") / SCREEN["height"]
    assert len(screens) > 60
    too_long = {name: round(length, 1) for name, length in screens.items() if length > LIMIT + MARGIN}
    assert too_long == {}, "split it, or give a case a page of its own"

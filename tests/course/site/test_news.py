"""*What's new* shows the changelog, and a feed has the same for feed readers."""

import datetime
import re
from email.utils import parsedate_to_datetime
from pathlib import Path
from urllib.parse import urljoin
from xml.etree import ElementTree

from bs4 import BeautifulSoup

from compile_lessons.course.site import news
from compile_lessons.ground.project import Project

CHANGELOG = """# Changelog

About the format.

## Unreleased

### Added

- `a < b & c` is new.

## 0.2.0 (2026-12-01)

- Second.

## 0.1.0 (2026-11-27)

- First.
"""
SITE = "https://compile-lessons.github.io/compile-lessons/"


def test_the_sections_of_a_changelog_are_releases() -> None:
    assert news.releases(CHANGELOG) == [
        news.Release("Since 0.2.0", "since-0-2-0", None, "### Added\n\n- `a < b & c` is new."),
        news.Release("0.2.0", "release-0-2-0", datetime.date(2026, 12, 1), "- Second."),
        news.Release("0.1.0", "release-0-1-0", datetime.date(2026, 11, 27), "- First."),
    ]


def test_right_after_a_release_nothing_is_unreleased() -> None:
    after = CHANGELOG.replace("### Added\n\n- `a < b & c` is new.\n", "")
    assert [release.title for release in news.releases(after)] == ["0.2.0", "0.1.0"]


def test_before_the_first_release_all_is_unreleased() -> None:
    [only] = news.releases("# Changelog\n\n## Unreleased\n\n- First.\n")
    assert (only.title, only.anchor) == ("Since the beginning", "since-the-beginning")


def test_the_page_has_a_section_for_each_release() -> None:
    text = news.as_markdown(news.releases(CHANGELOG))
    assert re.findall(r"^## .*", text, re.M) == [
        "## Since 0.2.0 { #since-0-2-0 }",
        "## 0.2.0 (December 1, 2026) { #release-0-2-0 }",
        "## 0.1.0 (November 27, 2026) { #release-0-1-0 }",
    ]


def test_a_feed_survives_markup_and_dates_what_is_released() -> None:
    text = news.feed(news.releases(CHANGELOG), "A & B", "About.", f"{SITE}new/", f"{SITE}feed.xml")
    unreleased, second, first = ElementTree.fromstring(text.encode()).iter("item")
    assert "<code>a &lt; b &amp; c</code>" in (unreleased.findtext("description") or "")
    assert unreleased.find("pubDate") is None
    dates = [parsedate_to_datetime(item.findtext("pubDate") or "").isoformat() for item in (second, first)]
    assert dates == ["2026-12-01T00:00:00+00:00", "2026-11-27T00:00:00+00:00"]


def test_the_site_has_a_feed_whose_addresses_are_absolute_and_lead_to_the_page(course: Project, site: Path) -> None:
    feed = ElementTree.parse(site / "feed.xml").getroot()
    assert (feed.tag, feed.get("version")) == ("rss", "2.0")
    changes = news.releases((course.root / "CHANGELOG.md").read_text(encoding="utf-8"))
    assert [item.findtext("title") for item in feed.iter("item")] == [release.title for release in changes]
    page = BeautifulSoup((site / "learn/whats-new/index.html").read_text(encoding="utf-8"), "html.parser")
    for item in feed.iter("item"):
        address, _, anchor = (item.findtext("link") or "").partition("#")
        assert address == f"{SITE}learn/whats-new/"
        assert page.find("h2", id=anchor), anchor
    [itself] = feed.iter("{http://www.w3.org/2005/Atom}link")
    assert itself.get("href") == f"{SITE}feed.xml" and page.find("a", href=f"{SITE}feed.xml")


def test_every_page_names_the_feed(site: Path) -> None:
    links = re.compile(r'<link rel="alternate " type="application/rss\+xml" title="What\'s new" href="([^"]+)">')
    for path in site.rglob("*.html"):
        text = path.read_text(encoding="utf-8")
        if "</head>" not in text or path.is_relative_to(site / "explorers"):
            continue  # a page at an old address, or a part of a page
        found = links.findall(text.partition("</head>")[0])
        name = path.relative_to(site).as_posix()
        assert [urljoin(f"/compile-lessons/{name}", href) for href in found] == ["/compile-lessons/feed.xml"], name

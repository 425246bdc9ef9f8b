"""*What's new*: the sections of CHANGELOG.md on a page, and as a feed (RSS 2.0) for feed readers."""

import datetime
import re
from collections.abc import Sequence
from dataclasses import dataclass
from email.utils import format_datetime
from xml.etree import ElementTree

from markdown import markdown

#: The page that shows the changes, below ``docs/``, and the address of the feed below the site.
PAGE = "learn/whats-new.md"
FEED = "feed.xml"

# "## 0.1.0 (2026-11-27)", "## Unreleased"
_HEADING = re.compile(r"^## (?P<name>\S+)(?: \((?P<date>[\d-]+)\))?$", re.M)
_ATOM = "http://www.w3.org/2005/Atom"


@dataclass(frozen=True)
class Release:
    """A section of the changelog; ``date`` is ``None`` as long as it isn't released, ``changes`` is Markdown."""

    title: str
    anchor: str
    date: datetime.date | None
    changes: str


def releases(changelog: str) -> list[Release]:
    """Return the sections of a changelog, the newest first.

    What isn't released is named after the release before it. Its address in the feed then differs from that of the
    next such section, which a feed reader would otherwise take for one that its user has read.
    """
    headings = list(_HEADING.finditer(changelog))
    ends = [heading.start() for heading in headings[1:]] + [len(changelog)]
    found = []
    for number, (heading, end) in enumerate(zip(headings, ends, strict=True)):
        changes = changelog[heading.end() : end].strip()
        if heading["date"]:
            title, day = heading["name"], datetime.date.fromisoformat(heading["date"])
            found.append(Release(title, _anchor("release", title), day, changes))
        elif changes:
            before = headings[number + 1]["name"] if number + 1 < len(headings) else "the beginning"
            found.append(Release(f"Since {before}", _anchor("since", before), None, changes))
    return found


def _anchor(kind: str, name: str) -> str:
    return f"{kind}-" + re.sub(r"\W+", "-", name)


def as_markdown(shown: Sequence[Release]) -> str:
    """Return the part of the page below its introduction, a section for each release."""
    sections = []
    for release in shown:
        when = f" ({release.date:%B} {release.date.day}, {release.date.year})" if release.date else ""
        sections.append(f"\n## {release.title}{when} {{ #{release.anchor} }}\n\n{release.changes}\n")
    return "".join(sections)


def feed(shown: Sequence[Release], site: str, about: str, page: str, address: str) -> str:
    """Return the releases as RSS 2.0; ``page`` and ``address`` are the absolute addresses of the page and the feed."""
    ElementTree.register_namespace("atom", _ATOM)
    rss = ElementTree.Element("rss", version="2.0")
    channel = ElementTree.SubElement(rss, "channel")
    for name, text in {"title": site, "link": page, "description": about, "language": "en"}.items():
        ElementTree.SubElement(channel, name).text = text
    itself = {"href": address, "rel": "self", "type": "application/rss+xml"}
    ElementTree.SubElement(channel, f"{{{_ATOM}}}link", itself)
    for release in shown:
        item = ElementTree.SubElement(channel, "item")
        link = f"{page}#{release.anchor}"
        for name, text in {"title": release.title, "link": link, "guid": link}.items():
            ElementTree.SubElement(item, name).text = text
        if release.date:
            midnight = datetime.datetime.combine(release.date, datetime.time(), datetime.UTC)
            ElementTree.SubElement(item, "pubDate").text = format_datetime(midnight)
        ElementTree.SubElement(item, "description").text = markdown(release.changes)
    ElementTree.indent(rss)
    return f'<?xml version="1.0" encoding="utf-8"?>\n{ElementTree.tostring(rss, encoding="unicode")}\n'

"""Messages of torch that readers paste into the search, and the row of a table about each: ``messages.json``."""

from __future__ import annotations

import html
import re
import tomllib
from collections.abc import Iterable, Iterator
from pathlib import Path
from urllib.parse import urljoin

import msgspec
from mkdocs.structure.pages import Page

GRAPH_BREAKS, FIXES = "reference/graph-breaks.md", "production/what-now.md"
NAME = "messages.json"
#: ``<tr id="gb0059"><td>…</td>\n<td>Failed to trace builtin operator</td>\n<td>Dynamo does not know …</td>``
_GRAPH_BREAK = re.compile(r'<tr id="(gb\d+)"><td>.*?</td>\s*<td[^>]*>(.*?)</td>\s*<td[^>]*>(.*?)</td>')
#: An explanation with fewer words, besides ``{parts}`` that torch fills in, may stand in other texts.
_FEWEST_WORDS = 5
#: ``<tr>\n<td><code>No working C++ compiler found</code></td>\n<td><a href="…">Without a C++ compiler</a></td>``
_FIX = re.compile(r"<tr([^>]*)>\s*<td><code>(.*?)</code></td>\s*<td>(.*?)</td>")
#: ``<tr id="inductor.fx_graph_cache"><td><a href="…"><code>fx_graph_cache</code>``: an option, or a variable
_NAME = re.compile(r'<tr id="([^"]+)"><td><a [^>]*><code>(.*?)</code>')
_NAMED = ("reference/dynamo-options.md", "reference/inductor-options.md", "reference/environment.md")
_PRINTED = re.compile(r"(?m)^((?:[\w.]+\.)?[A-Z]\w*(?:Error|Warning|Exception)): (.{30,})$")
#: What differs between the message of a page and a reader's.
_FILLED_IN = re.compile(r"""'[^']*'|"[^"]*"|`[^`]*`|\[[^\]]*\]|\b[\d.]+\b|\S*/\S*""")
#: Below ``docs/``: what readers type that no page has in these words, and the places that answer.
ANSWERS = "search.toml"
#: ``<h2 class="wrong" id="damaged">``
_HEADING = re.compile('<h[2-6][^>]* id="([^"]*)"')
_FIX_MARK = re.compile(r"<strong>(Fix(?:, [^<]*)?:)</strong>")
_LINK = re.compile(r'<a href="([^"]+)">(.*?)</a>')


class Answers(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Addresses below the site: by part of a message that no table names, and by what newcomers type."""

    messages: dict[str, str]
    questions: dict[str, str]


def read_answers(docs: Path) -> Answers:
    """Read ``search.toml``."""
    return msgspec.convert(tomllib.loads((docs / ANSWERS).read_text(encoding="utf-8")), Answers)


def messages_of(source: str, url: str, page: str, pages: Iterable[Page], docs: Path) -> list[tuple[str, ...]]:
    """Return the messages of a page: the text to look for, the address below the site, and what is there.

    Some have a fourth part: ``name``, of a lab or of a setting that is no keyword of a page, which has to be typed
    alone, or ``printed``, of a line in an output.
    ``source`` is the page's file below ``docs``, ``url`` its address below the site; ``pages`` are those of the menu.
    """
    own = next((there for there in pages if there.url == url), None)
    title, tags = (own.title or "", own.meta.get("tags", ())) if own else ("", ())
    if source == GRAPH_BREAKS:
        return list(_graph_breaks(url, page))
    if source in _NAMED:
        return list(_settings(url, page, title, {tag.lower() for there in pages for tag in there.meta.get("tags", ())}))
    labs = (
        (tag, url, f"{tag.capitalize()}: {title.partition(' · ')[2] or title}", "name")
        for tag in tags
        if re.fullmatch(r"lab \d+", tag)
    )
    fixes = _fixes(url, page, pages, read_answers(docs)) if source == FIXES else ()
    return [*labs, *fixes, *_printed(url, page, title)]


def with_ids(page: str) -> str:
    """Give each row of the section "It crashes" an id, so that a link leads to it."""
    before, section, after = _crashes(page)

    def with_id(row: re.Match[str]) -> str:
        if not _is_message(row[2]):
            return row[0]
        name = re.sub(r"\W+", "-", _plain(row[2]).lower()).strip("-")
        return row[0].replace("<tr>", f'<tr id="message-{name}">', 1)

    return before + _FIX.sub(with_id, section) + after


def with_fixes(page: str) -> str:
    """Mark what begins with "Fix:" or "Fix, for …:", and give the first "Fix:" of a section the id ``fix-…``."""
    page = _FIX_MARK.sub(r'<strong class="fix">\1</strong>', page)
    sections = re.split("(?=<h[2-6][ >])", page)
    return "".join(_with_fix_id(section) for section in sections)


def _with_fix_id(section: str) -> str:
    heading = _HEADING.match(section)
    if not heading:
        return section
    return section.replace('<p><strong class="fix">Fix:<', f'<p id="fix-{heading[1]}"><strong class="fix">Fix:<', 1)


def fixes_in(url: str, page: str) -> set[str]:
    """Return the addresses of the fixes of a page."""
    return {f"{url}#{anchor}" for anchor in re.findall('<p id="(fix-[^"]*)"', page)}


def at_its_fix(address: str, fixes: set[str]) -> str:
    """Return the address of the fix of a section, or the section's own if it has none."""
    page, _, anchor = address.partition("#")
    fix = f"{page}#fix-{anchor}"
    return fix if fix in fixes else address


def _graph_breaks(url: str, page: str) -> Iterator[tuple[str, str, str]]:
    for anchor, title, explanation in _GRAPH_BREAK.findall(page):
        label = f"{anchor.upper()} in the table of graph breaks: {_plain(title)}"
        yield _plain(title), f"{url}#{anchor}", label
        if len(re.sub(r"\{[^}]*\}", "", _plain(explanation)).split()) >= _FEWEST_WORDS:
            yield _plain(explanation), f"{url}#{anchor}", label


def _fixes(url: str, page: str, pages: Iterable[Page], answers: Answers) -> Iterator[tuple[str, ...]]:
    """What ``search.toml`` has, then the rows of the section "It crashes" that begin with what torch prints: part of a
    message, or a class."""
    by_address = {_folder(there.url): there for there in pages}
    for text, address in answers.messages.items():
        yield text, *_answer(text, address, by_address)
    for text, address in answers.questions.items():
        yield text, *_answer(text, address, by_address), "name"
    for attributes, message, fix in _FIX.findall(_crashes(page)[1]):
        if not _is_message(message):
            continue
        link = _LINK.search(fix)
        row = re.search('id="([^"]*)"', attributes)
        there = urljoin(url, link[1]) if link else f"{url}#{row[1] if row else 'crashes'}"
        yield _plain(message), there, f"{_plain(message)}: {_plain(link[2] if link else fix)}"


def _answer(text: str, address: str, by_address: dict[str, Page]) -> tuple[str, str]:
    """Return the address of an answer in this build, and what is there."""
    page, sign, anchor = address.partition("#")
    there = by_address[page]
    return f"{there.url}{sign}{anchor}", f"{text}: {there.title}"


def _folder(url: str) -> str:
    """Return a page's address as ``search.toml`` has it: a site to be read from files has ``dynamo/guards.html``."""
    return re.sub(r"(^|/)index/$", r"\1", url.replace(".html", "/"))


def _crashes(page: str) -> tuple[str, str, str]:
    """The section "It crashes", with what comes before and after it."""
    before, heading, rest = page.partition('<h2 id="crashes">')
    section, end, after = rest.partition("<h2")
    return before + heading, section, end + after


def _is_message(code: str) -> bool:
    """Whether the first cell of a row is what torch prints; others are names of backends."""
    return " " in code or code[0].isupper()


def _settings(url: str, page: str, title: str, keywords: set[str]) -> Iterator[tuple[str, ...]]:
    named = {_plain(name): anchor for anchor, name in _NAME.findall(page)}
    for name, anchor in named.items():
        if "_" in name and name.lower() not in keywords:
            yield name, f"{url}#{anchor}", f"{name}: {title}", "name"


def _printed(url: str, page: str, title: str) -> Iterator[tuple[str, ...]]:
    """The errors and warnings in the outputs of a page, without what differs between programs."""
    for section in re.split("(?=<h[23][ >])", page):
        anchor = _HEADING.match(section)
        for output in re.findall(r'<div class="snippet-output.*?</pre>', section, re.DOTALL):
            for kind, message in _PRINTED.findall(_plain(output)):
                text = " ".join(_FILLED_IN.sub("{…}", message).split()[:20])
                if len(text.replace("{…}", "").split()) >= _FEWEST_WORDS:
                    address = f"{url}#{anchor[1]}" if anchor else url
                    yield text, address, f"{kind}: {' '.join(message.split()[:9])} …: {title}", "printed"


def _plain(text: str) -> str:
    """The text of an element, without those inside it."""
    return html.unescape(re.sub(r"<[^>]+>", "", text))

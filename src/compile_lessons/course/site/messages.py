"""Messages of torch that readers paste into the search, and the row of a table about each: ``messages.json``."""

import html
import re
from collections.abc import Iterable, Iterator

from mkdocs.structure.pages import Page

from compile_lessons.course.site.embed import lookup
from compile_lessons.course.site.pages import Use, read_page
from compile_lessons.findings.catalogue import MESSAGES, catalogue, plain
from compile_lessons.findings.guards import patterns_for_scripts
from compile_lessons.show.listing import Listing

GRAPH_BREAKS = "reference/graph-breaks.md"
NAME = "messages.json"
#: An explanation with fewer words, besides ``{parts}`` that torch fills in, may stand in other texts.
_FEWEST_WORDS = 5
#: Pages of options, or of variables.
_NAMED = ("reference/dynamo-options.md", "reference/inductor-options.md", "reference/environment.md")
_PRINTED = re.compile(r"(?m)^((?:[\w.]+\.)?[A-Z]\w*(?:Error|Warning|Exception)): (.{30,})$")
#: What differs between the message of a page and a reader's.
_FILLED_IN = re.compile(r"""'[^']*'|"[^"]*"|`[^`]*`|\[[^\]]*\]|\b[\d.]+\b|\S*/\S*""")
#: ``<h2 class="wrong" id="damaged">``
_HEADING = re.compile('<h[2-6][^>]* id="([^"]*)"')
_FIX_MARK = re.compile(r"<strong>(Fix(?:, [^<]*)?:)</strong>")


def listings_of(source: str, text: str) -> list[Listing]:
    """Return the listings of a page whose rows are messages, from its records; ``text`` is its Markdown."""
    if source not in (GRAPH_BREAKS, *_NAMED):
        return []
    names = dict.fromkeys(use.name for use in read_page(text, source) if isinstance(use, Use))
    records = filter(None, (lookup().find(name).record for name in names))
    rich = [output.rich for record in records for output in record.outputs]
    return [Listing.from_json(forms[Listing.MIME]) for forms in rich if Listing.MIME in forms]


def messages_of(
    source: str, url: str, page: str, pages: Iterable[Page], listings: Iterable[Listing] = ()
) -> list[tuple[str, ...]]:
    """Return the messages of a page: the text to look for, the address below the site, and what is there.

    Some have a fourth part: ``name``, of a lab or of a setting that is no keyword of a page, which has to be typed
    alone, ``printed``, of a line in an output, or ``guard``, of a pattern. The page of messages brings the catalogue's.
    ``source`` is the page's file below ``docs``, ``url`` its address below the site; ``pages`` are those of the menu,
    and ``listings`` what ``listings_of`` returns for the page.
    """
    own = next((there for there in pages if there.url == url), None)
    title, tags = (own.title or "", own.meta.get("tags", ())) if own else ("", ())
    if source == GRAPH_BREAKS:
        return list(_graph_breaks(url, listings))
    if source in _NAMED:
        keywords = {tag.lower() for there in pages for tag in there.meta.get("tags", ())}
        return list(_settings(url, listings, title, keywords))
    labs = (
        (tag, url, f"{tag.capitalize()}: {title.partition(' · ')[2] or title}", "name")
        for tag in tags
        if re.fullmatch(r"lab \d+", tag)
    )
    fixes = _of_catalogue(pages) if source == f"{MESSAGES}.md" else ()
    return [*labs, *fixes, *_printed(url, page, title)]


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


def _graph_breaks(url: str, listings: Iterable[Listing]) -> Iterator[tuple[str, str, str]]:
    for listing in listings:
        seen = set[str]()
        for name, *cells in listing.rows:
            title, explanation = (" ".join(cell.replace("`", "").split()) for cell in cells[:2])
            address, label = f"{url}#{listing.anchor(name)}", f"{name} in the table of graph breaks: {title}"
            if name not in seen:  # rows of the same name share an address
                yield title, address, label
                if len(re.sub(r"\{[^}]*\}", "", explanation).split()) >= _FEWEST_WORDS:
                    yield explanation, address, label
            seen.add(name)


def _of_catalogue(pages: Iterable[Page]) -> Iterator[tuple[str, ...]]:
    """What torch prints, what newcomers type, and forms of guards, each with its place in the course."""
    # A site to be read from files has "dynamo/guards.html" for what is "dynamo/guards/" in the catalogue.
    by_address = {re.sub(r"(^|/)index/$", r"\1", there.url.replace(".html", "/")): there for there in pages}
    for entry in catalogue().printed():
        for text in entry.messages:
            yield text, *_answer(text, entry.words, entry.lesson, by_address)
    for text, lesson in catalogue().questions.items():
        yield text, *_answer(text, "", lesson, by_address), "name"
    for pattern, cause in patterns_for_scripts():
        yield pattern, *_answer(cause.symptom, plain(cause.remedy), cause.lesson, by_address), "guard"


def _answer(text: str, words: str, lesson: str, by_address: dict[str, Page]) -> tuple[str, str]:
    """Return the address of a lesson in this build, and what is there: the remedy, or the page's title."""
    page, sign, anchor = lesson.partition("#")
    there = by_address[f"{page}/"]
    return f"{there.url}{sign}{anchor}", f"{text}: {words or there.title}".replace("`", "")


def _settings(url: str, listings: Iterable[Listing], title: str, keywords: set[str]) -> Iterator[tuple[str, ...]]:
    named = {name: listing.anchor(name) for listing in listings for name, *_ in listing.rows}
    for name, anchor in named.items():
        if "_" in name and name.lower() not in keywords:
            yield name, f"{url}#{anchor}", f"{name}: {title}", "name"


def _printed(url: str, page: str, title: str) -> Iterator[tuple[str, ...]]:
    """Yield the errors and warnings in outputs of sections that have a fix, without what differs between programs."""
    for section in re.split("(?=<h[23][ >])", page):
        anchor = _HEADING.match(section)
        if not anchor or f'id="fix-{anchor[1]}"' not in section:  # a demonstration
            continue
        address = f"{url}#{anchor[1]}"
        for output in re.findall(r'<div class="snippet-output.*?</pre>', section, re.DOTALL):
            for kind, message in _PRINTED.findall(_plain(output)):
                text = " ".join(_FILLED_IN.sub("{…}", message).split()[:20])
                if len(text.replace("{…}", "").split()) >= _FEWEST_WORDS:
                    yield text, address, f"{kind}: {' '.join(message.split()[:9])} …: {title}", "printed"


def _plain(text: str) -> str:
    """The text of an element, without those inside it."""
    return html.unescape(re.sub(r"<[^>]+>", "", text))

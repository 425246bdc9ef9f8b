"""Decide whether the site may be published: pages and snippets fit, records are current, the built site is whole."""

from __future__ import annotations

import functools
import pkgutil
import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

from compile_lessons.project import Project
from compile_lessons.records.machine import missing
from compile_lessons.records.plan import plan, stale
from compile_lessons.records.record import Record
from compile_lessons.records.snippet import Snippet, SnippetError
from compile_lessons.records.store import Store
from compile_lessons.site.embed import SHOW, highlighted_lines, some_lines, split_value, value_text
from compile_lessons.site.pages import Embed, Problem, read_pages

_TRACEBACK = "Traceback (most recent call last)"
_OPTIONS = {"show", "region", "highlight", "collapsed", "lines"}


def check(project: Project, site: Path | None = None) -> list[Problem]:
    """Every problem of the pages, the snippets, their records and, if given, the built site."""
    embeds, problems = read_pages(project)
    problems += _misplaced(project, embeds)
    for name in sorted({embed.name for embed in embeds}):
        problems += _snippet_problems(project, name, [embed for embed in embeds if embed.name == name])
    if site is not None:
        problems += _site_problems(site)
    return problems


def _misplaced(project: Project, embeds: list[Embed]) -> Iterator[Problem]:
    shown = {embed.name for embed in embeds}
    for name in project.snippet_names():
        if name not in shown:
            yield Problem(f"snippets/{name}", "no page shows it: embed it or delete it")
        if Path(name).stem in _importable():
            # Its folder is the first place that "python snippets/…" looks for modules.
            yield Problem(f"snippets/{name}", f"hides the module {Path(name).stem!r} of that name: rename it")


@functools.cache
def _importable() -> frozenset[str]:
    """Names of the standard library's modules and of installed ones."""
    return frozenset(sys.stdlib_module_names | {module.name for module in pkgutil.iter_modules() if module.ispkg})


def _snippet_problems(project: Project, name: str, embeds: list[Embed]) -> Iterator[Problem]:
    places = ", ".join(embed.place for embed in embeds)
    try:
        item = plan(project, name)
    except SnippetError as error:
        yield Problem(places, str(error))
        return
    store = Store(project)
    if "gpu" in item.snippet.needs:
        record = store.recording(name)
        if record and (failure := stale(item, record)):
            yield Problem(places, f"snippets/{name}: {failure.message}; redo it {failure.remedy}")
    else:
        record = store.get(item.key)
    if record is None:
        why = missing(item.snippet.needs) or "has no record: compile-lessons run"
        yield Problem(places, f"snippets/{name}: {why}")
    elif record.failure:
        line = f":{record.failure.line}" if record.failure.line else ""
        yield Problem(f"snippets/{name}{line}", f"{record.failure.message} (shown on {places})")
    for embed in embeds:
        try:
            _try(embed, item.snippet, record)
        except SnippetError as error:
            yield Problem(embed.place, str(error))


def _try(embed: Embed, snippet: Snippet, record: Record | None) -> None:
    """Raises ``SnippetError`` for an option or a value the page could not show."""
    if unknown := sorted(set(embed.options) - _OPTIONS):
        raise SnippetError(f"snippet() has no option {', '.join(unknown)}; it has {', '.join(sorted(_OPTIONS))}")
    if embed.options.get("show", "both") not in SHOW:
        raise SnippetError(f"show={embed.options['show']!r} is not one of {', '.join(SHOW)}")
    for option in ("region", "highlight", "lines"):
        if not isinstance(embed.options.get(option, ""), str):
            raise SnippetError(f"{option}={embed.options[option]!r}: text such as '3 5-7', or a region's name")
    code, first = snippet.region(embed.options.get("region"))
    highlighted_lines(snippet.name, code, first, embed.options.get("highlight", ""))
    if "lines" in embed.options and record is not None:
        some_lines(record, embed.options["lines"])
    if embed.value is not None and record is not None:
        value_text(record, *split_value(f"{embed.name}:{embed.value}")[1:])


def _site_problems(site: Path) -> Iterator[Problem]:
    pages = sorted(site.rglob("*.html"))
    if not pages:
        yield Problem(str(site), "no built page there: build the site first")
    for path in pages:
        page = _Page()
        page.feed(path.read_text(encoding="utf-8"))
        if _TRACEBACK in "".join(page.text):
            page.problems.append("a traceback that no snippet printed")
        for problem in page.problems:
            yield Problem(path.relative_to(site.parent).as_posix(), problem)


class _Page(HTMLParser):
    """Failures marked by the embed, and the text that is not a snippet's own source or output."""

    def __init__(self) -> None:
        super().__init__()
        self.problems: list[str] = []
        self.text: list[str] = []
        self._own = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        classes = (found.get("class") or "").split()
        name = found.get("data-snippet") or found.get("title") or "a snippet"
        for state in ("failure", "pending", "lacking"):
            if f"snippet-{state}" in classes:
                self.problems.append(f"{name} is shown as {state}")
        if tag == "div" and (self._own or {"snippet-output", "snippet-source", "snippet-failure"} & set(classes)):
            self._own += 1

    def handle_endtag(self, tag: str) -> None:
        if tag == "div" and self._own:
            self._own -= 1

    def handle_data(self, data: str) -> None:
        if not self._own:
            self.text.append(data)

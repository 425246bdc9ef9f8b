"""Decide whether the site may be published: pages and snippets fit, records are current, the built site is whole."""

import html
import json
import pkgutil
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from compile_lessons.course.records.plan import find_record, package_changed, plan
from compile_lessons.course.records.scrub import machine_paths
from compile_lessons.course.records.snippet import SnippetError
from compile_lessons.course.records.store import Store
from compile_lessons.course.site.pages import Embed, PageProblem, Use, read_pages
from compile_lessons.course.site.parts import outputs_of, source_of, text_of
from compile_lessons.ground.project import COURSE, Project
from compile_lessons.ground.reading import read_text
from compile_lessons.runs.machine import missing

_TRACEBACK = "Traceback (most recent call last)"
#: What holds a snippet's own source or output.
_OWN = ".snippet-output, .snippet-source, .snippet-checks, .snippet-failure"
# '<div class="admonition failure snippet-failure" data-snippet="a.py">', '<span class="snippet-pending" title="…">'
_STATE = re.compile(r'class="[^"]*snippet-(?P<state>failure|pending|lacking)" (?:data-snippet|title)="(?P<name>[^"]*)"')


def check(project: Project, site: Path | None = None) -> list[PageProblem]:
    """Return every problem of the pages, the snippets, their records and, if given, the built site."""
    uses, problems = read_pages(project)
    problems += _misplaced(project, uses)
    for name in sorted({use.name for use in uses}):
        problems += _snippet_problems(project, name, [use for use in uses if use.name == name])
    if site is not None:
        problems += _site_problems(site, project.root)
    return problems


def outlived(project: Project) -> list[str]:
    """Return the snippets whose recordings are older than a change of the package, which is no problem."""
    names = []
    for name in project.snippet_names():
        try:
            item = plan(project, name)
        except SnippetError:  # a problem that ``check`` returns
            continue
        recording, _ = find_record(Store(project), item)
        if recording is not None and package_changed(recording, item):
            names.append(name)
    return names


def _misplaced(project: Project, uses: list[Use]) -> Iterator[PageProblem]:
    shown = {use.name for use in uses}
    modules = sys.stdlib_module_names | {module.name for module in pkgutil.iter_modules() if module.ispkg}
    for name in project.snippet_names():
        if name not in shown:
            yield PageProblem(f"snippets/{name}", "no page shows it. Fix: embed it or delete it")
        if Path(name).stem in modules:
            # Its folder is the first place that "python snippets/…" looks for modules.
            yield PageProblem(f"snippets/{name}", f"hides the module {Path(name).stem!r} of that name. Fix: rename it")


def _snippet_problems(project: Project, name: str, uses: list[Use]) -> Iterator[PageProblem]:
    places = ", ".join(use.place for use in uses)
    try:
        item = plan(project, name)
    except SnippetError as error:
        yield PageProblem(places, str(error))
        return
    record, failure = find_record(Store(project), item)
    if failure:
        line = f":{failure.line}" if failure.line else ""
        yield PageProblem(f"snippets/{name}{line}", f"{failure.message} (shown on {places}). Fix: {failure.remedy}")
    elif record is None:
        why = missing(item.snippet.declared.needs) or f"has no record. Fix: {COURSE} run"
        yield PageProblem(places, f"snippets/{name}: {why}")
    for use in uses:
        try:
            if isinstance(use.what, Embed):
                source_of(item.snippet, use.what)
                if record:
                    outputs_of(record, use.what)
            elif record:
                text_of(record, use.what)
        except SnippetError as error:
            yield PageProblem(use.place, str(error))


def _site_problems(site: Path, root: Path) -> Iterator[PageProblem]:
    pages = sorted(site.rglob("*.html"))
    if not pages:
        yield PageProblem(str(site), "no built page there. Fix: build the site first")
    for path in pages:
        for problem in _page_problems(read_text(path), root):
            yield PageProblem(path.relative_to(site.parent).as_posix(), problem)
    for path in sorted(site.rglob("*.json")):  # the search index is one
        for problem in _leaks("\n".join(_strings(json.loads(path.read_bytes()))), root):
            yield PageProblem(path.relative_to(site.parent).as_posix(), problem)


def _page_problems(page: str, root: Path) -> Iterator[str]:
    for match in _STATE.finditer(page):
        yield f"{html.unescape(match['name'])} is shown as {match['state']}"
    if _TRACEBACK in page:
        from bs4 import BeautifulSoup  # here, as it comes with what builds a site

        prose = BeautifulSoup(page, "html.parser")
        for own in prose.select(_OWN):
            own.decompose()
        if _TRACEBACK in prose.get_text():
            yield "a traceback that no snippet printed"
    yield from _leaks(html.unescape(re.sub(r"<[^>]*>", "", page)), root)


def _leaks(text: str, root: Path) -> Iterator[str]:
    for path in dict.fromkeys(machine_paths(text, root)):
        yield f"shows a path of this machine, {path!r}. Fix: {COURSE} run --force its snippet"


def _strings(data: Any) -> Iterator[str]:
    """Yield every string of some JSON."""
    if isinstance(data, str):
        yield data
    elif isinstance(data, dict | list):
        for item in data.values() if isinstance(data, dict) else data:
            yield from _strings(item)

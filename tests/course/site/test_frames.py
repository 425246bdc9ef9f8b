"""An explorer on a page: in the page for Zensical, a file of its own for MkDocs."""

import dataclasses
import re
from html import unescape
from pathlib import Path
from types import SimpleNamespace

import pytest

from compile_lessons.course.records.record import Output
from compile_lessons.course.site import markup
from compile_lessons.course.site.frames import moved_out
from compile_lessons.course.site.pages import Embed
from compile_lessons.explorer import Explorer
from compile_lessons.explorer.sheet import Note, Sheet, SheetLine, SheetPane, SheetPart
from compile_lessons.explorer.strip import Row
from compile_lessons.ground.site import SITE
from projects import RECORD

LESSON = "dynamo/fixing-breaks"


def explorer() -> Explorer:
    """One line of Python and one of a graph that came from it, with a finding."""
    python = SheetPart("x.py", "python", (SheetLine(3, "y = x.sin()  # </iframe>", (0,)),))
    graph = SheetPart("0/0 f", "python", (SheetLine(1, "sin = x.sin()", (1,)),))
    note = Note("fault", "break", "Remove it.", LESSON, "x.py:3", 0)
    panes = (SheetPane("python", "Python", True, (python,)), SheetPane("dynamo", "Dynamo graph", True, (graph,)))
    shown = Explorer.__new__(Explorer)
    shown.variants = {"": Sheet("f", (Row("graphs", "1"),), (), (note,), panes, (0, 1))}
    return shown


@pytest.fixture
def embedded() -> str:
    output = Output("f\ngraphs  1\n", {Explorer.MIME: explorer().to_json()})
    record = dataclasses.replace(RECORD, snippet="part/two.py", title='Two "explorers"', outputs=[output, output])
    return markup.output(record, record.outputs, Embed("part/two.py"), None, None, False)


def frames(html: str) -> list[dict[str, str]]:
    found = re.findall(r"<iframe ([^>]*)>", html)
    return [{name: unescape(value) for name, value in re.findall(r'([\w-]+)="([^"]*)"', frame)} for frame in found]


def test_the_embed_holds_the_document_itself(embedded: str) -> None:
    first, second = frames(embedded)
    assert first["srcdoc"] == second["srcdoc"] == explorer().html(own_fonts=False)
    assert first["aria-label"] == 'Explorer: Two "explorers"' and first["loading"] == "lazy"
    assert (first["data-explorer"], second["data-explorer"]) == ("part/two", "part/two-2")
    assert not re.search(r'<script|<style| on\w+="', embedded)  # nothing inline in the page itself


@pytest.mark.parametrize(
    ("page", "lesson", "src", "link"),
    [
        ("dynamo/guards/", "dynamo/fixing-breaks/", "../../explorers/part/two.htm", "../../dynamo/fixing-breaks/"),
        ("guards.html", "dynamo/fixing-breaks.html", "explorers/part/two.htm", "../../dynamo/fixing-breaks.html"),
    ],
)
def test_mkdocs_has_a_file_of_it(embedded: str, tmp_path: Path, page: str, lesson: str, src: str, link: str) -> None:
    files = SimpleNamespace(
        get_file_from_path=lambda path: SimpleNamespace(url=lesson) if path == f"{LESSON}.md" else None
    )
    html = moved_out(embedded, SimpleNamespace(url=page), files, tmp_path)
    first, second = frames(html)
    assert first["src"] == src and second["src"] == src.replace("two", "two-2") and "srcdoc" not in html
    assert f'href="{src}"' in html
    written = (tmp_path / "explorers/part/two.htm").read_text(encoding="utf-8")
    served = page.endswith("/")
    fonts = '<link rel="stylesheet" href="../../assets/fonts/fonts.css">' if served else ""
    assert (f"{fonts}<style>" in written) and served == ("font-src 'self'" in written)
    own = (
        written.replace(fonts, "").replace("font-src 'self'", "font-src data:").replace("style-src 'self'", "style-src")
    )
    assert own == explorer().html(own_fonts=False).replace(f"{SITE}{LESSON}/", link)
    assert SITE not in written


def test_a_page_without_an_explorer_stays_as_it_is(tmp_path: Path) -> None:
    html = '<p>text</p><iframe src="https://example.org"></iframe>'
    assert moved_out(html, SimpleNamespace(url="a/"), SimpleNamespace(), tmp_path) == html
    assert not list(tmp_path.iterdir())

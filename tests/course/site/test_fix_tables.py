"""The tables of pages come from the catalogue, with links and ids like those of the pages' own text."""

import re
from pathlib import Path

import pytest
from markdown import Markdown

from compile_lessons.course.site.embed import embed_html
from compile_lessons.course.site.fix_tables import table_of_fixes
from compile_lessons.course.site.pages import EmbedError, parse_catalogue, read_page
from compile_lessons.findings.catalogue import catalogue

DOCS = Path(__file__).parents[3] / "docs"
BLOCK = '```python exec="1"\ncatalogue("{}")\n```\n'


def html(text: str) -> str:
    extensions = ["attr_list", "tables", "md_in_html", "compile_lessons.course.site.fix_tables", "pymdownx.superfences"]
    return Markdown(extensions=extensions).convert(text)


def test_each_table_is_shown_once_on_its_page() -> None:
    """Its links are written for that page."""
    pages = {path.relative_to(DOCS).as_posix(): path.read_text(encoding="utf-8") for path in DOCS.rglob("*.md")}
    shown = [
        (name, page.removesuffix(".md"))
        for page, text in pages.items()
        for name in re.findall(r'^catalogue\("([\w-]+)"\)$', text, re.M)
    ]
    assert sorted(shown) == sorted((name, table.page) for name, table in catalogue().tables.items())
    typed = r"^\| (?:the message contains|class|what the program does) "
    assert [page for page, text in pages.items() if re.search(typed, text, re.M)] == []


def test_a_block_becomes_a_table() -> None:
    rows = catalogue().tables["messages"].rows
    shown = html(f'<div data-filter="rows" markdown="block">\n\n{BLOCK.format("messages")}\n</div>\n')
    assert shown.count("<tr>") == len(rows) + 1 and "<code>catalogue" not in shown
    assert '<td id="message-no-working-c-compiler-found"><code>No working C++ compiler found</code></td>' in shown
    assert 'href="../pipeline/backends.md#without-a-c-compiler"' in shown
    ids = re.findall('id="(message-[^"]+)"', shown)
    assert len(ids) == len(set(ids)) == sum(bool(row.anchor) for row in rows)


def test_links_are_relative_to_the_page() -> None:
    silent = table_of_fixes("silent")
    assert "](../aot/partition.md#" in silent and "](../fix/out-of-range.md)" in silent
    assert "](#message-usererror)" not in table_of_fixes("classes"), "the row itself explains it"
    assert "{ #" not in silent  # no row of it is what torch prints


def test_other_blocks_stay() -> None:
    other = '```python\ncatalogue("messages")\n```\n'
    assert "messages" in html(other) and "<table" not in html(other)
    assert [*read_page(BLOCK.format("messages"), "a.md")] == []
    [problem] = read_page(BLOCK.format("nothing"), "a.md")
    assert 'catalogue("messages")' in str(problem)
    with pytest.raises(EmbedError):
        parse_catalogue('catalogue("messages", "more")')
    assert parse_catalogue('snippet("a.py")') is None


def test_a_page_without_the_extension_says_so(course) -> None:
    assert "compile_lessons.course.site.fix_tables" in embed_html('catalogue("messages")')

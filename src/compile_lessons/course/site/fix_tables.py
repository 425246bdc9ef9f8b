"""A Markdown extension: an executed block with ``catalogue("messages")`` becomes that table of the catalogue.

The table is in the text before other extensions read it, so its links are checked like those of the page. Its links
are written for the page that the catalogue names for it.
"""

import posixpath
import re
from typing import Any

from markdown import Markdown
from markdown.extensions import Extension
from markdown.preprocessors import Preprocessor

from compile_lessons.course.site.pages import EXECUTED, FENCED, EmbedError, parse_catalogue
from compile_lessons.findings.catalogue import Entry, catalogue

_FENCED = re.compile(FENCED, re.MULTILINE)
_LINK = re.compile(r"\]\((?P<page>[\w/-]+)(?P<anchor>#[\w-]+)?\)")


def table_of_fixes(name: str) -> str:
    """Return a table of the catalogue as its page has it; rows for what torch prints have an id."""
    table = catalogue().tables[name]
    lines = [f"| {' | '.join(table.columns)} |", "| --- | --- |"]
    for entry in table.rows:
        anchor = f" {{ #{entry.anchor} }}" if table.printed and entry.anchor else ""
        lines.append(f"| {_linked(entry.symptom, table.page)}{anchor} | {_linked(_remedy(entry), table.page)} |")
    return "\n".join(lines) + "\n"


def _remedy(entry: Entry) -> str:
    """Return the cause and the remedy, which is the link to the lesson unless it has links of its own."""
    is_link = not entry.in_own_row and "](" not in entry.remedy
    remedy = f"[{entry.remedy}]({entry.lesson})" if is_link else entry.remedy
    return f"{entry.cause}: {remedy}" if entry.cause else remedy


def _linked(text: str, own: str) -> str:
    """Write links as a page does: on ``fix/hangs``, ``dynamo/guards#causes`` is ``../dynamo/guards.md#causes``."""

    def link(match: re.Match[str]) -> str:
        page, anchor = match["page"], match["anchor"] or ""
        path = "" if page == own else posixpath.relpath(page, posixpath.dirname(own)) + ".md"
        return f"]({path}{anchor})"

    return _LINK.sub(link, text)


class _Tables(Preprocessor):
    def run(self, lines: list[str]) -> list[str]:
        return _FENCED.sub(_replaced, "\n".join([*lines, ""])).split("\n")


def _replaced(block: re.Match[str]) -> str:
    """Return the table in place of its block. What is not understood stays, and becomes a failure on the page."""
    try:
        name = parse_catalogue(block["body"]) if EXECUTED.search(block["info"]) else None
    except EmbedError:
        return block[0]
    return table_of_fixes(name) if name else block[0]


class FixTables(Extension):
    def extendMarkdown(self, md: Markdown) -> None:
        md.preprocessors.register(_Tables(md), "fix_tables", 40)  # before fences are read, at 25


def makeExtension(**settings: Any) -> FixTables:
    """Return the extension; Markdown calls this."""
    return FixTables(**settings)

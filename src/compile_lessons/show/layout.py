"""Pieces of HTML forms, and tables that fit their place."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from html import escape
from typing import Any

from compile_lessons.ground.words import WIDTH
from compile_lessons.show.table import Table


def pre(body: str) -> str:
    """Return text as HTML; nothing for no text."""
    return f"<pre>{escape(body)}</pre>" if body else ""


def paragraph(body: str) -> str:
    """Return a sentence as HTML."""
    return f"<p>{escape(body)}</p>"


def fold(title: str, body: str) -> str:
    """Return HTML folded under a title; nothing if there is no body."""
    return f"<details><summary>{escape(title)}</summary>{body}</details>" if body else ""


def fitted_table(
    columns: Sequence[str],
    rows: Iterable[Sequence[Any]],
    limits: Mapping[str, tuple[int, Callable[[str, int], str]]],
    width: int | None = WIDTH,
) -> Table:
    """Return a ``Table`` of at most ``width`` characters, or of any width for ``None``.

    ``limits`` names the columns that may be cut, the first one first, each with the fewest characters that it keeps and
    the function that cuts a cell: ``shorten`` or ``shorten_left``.
    """
    cells = [list(row) for row in rows]
    widths = [max(len(str(row[i])) for row in [columns, *cells]) for i in range(len(columns))]
    excess = 0 if width is None else sum(widths) + 2 * (len(columns) - 1) - width
    for name, (fewest, cut_cell) in limits.items():
        column = columns.index(name)
        removed = min(excess, widths[column] - fewest)
        if removed > 0:
            excess -= removed
            for row in cells:
                row[column] = cut_cell(str(row[column]), widths[column] - removed)
    return Table(tuple(columns), cells)

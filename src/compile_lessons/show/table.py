"""A small table that prints aligned in a terminal and becomes HTML on a page."""

from __future__ import annotations

import html
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Table:
    """Rows under named columns. Numbers are aligned right, anything else left.

    ``columns`` are the headings; each row of ``rows`` has one cell for each of them.
    Raises ``ValueError`` if a row has another number of cells.
    """

    columns: Sequence[str]
    rows: Sequence[Sequence[Any]]

    def __post_init__(self) -> None:
        for row in self.rows:
            if len(row) != len(self.columns):
                raise ValueError(f"this row has {len(row)} cells under {len(self.columns)} columns: {row!r}")

    def __str__(self) -> str:
        cells = [list(self.columns), *([str(cell) for cell in row] for row in self.rows)]
        widths = [max(len(row[i]) for row in cells) for i in range(len(self.columns))]
        right = [self._numeric(i) for i in range(len(self.columns))]
        lines = [
            "  ".join(
                cell.rjust(w) if r else cell.ljust(w) for cell, w, r in zip(row, widths, right, strict=True)
            ).rstrip()
            for row in cells
        ]
        return "\n".join([lines[0], "  ".join("-" * w for w in widths), *lines[1:]])

    def _repr_html_(self) -> str:
        align = [' style="text-align: right"' if self._numeric(i) else "" for i in range(len(self.columns))]
        head = "".join(f"<th{a}>{html.escape(c)}</th>" for c, a in zip(self.columns, align, strict=True))
        body = "".join(
            "<tr>" + "".join(f"<td{a}>{html.escape(str(c))}</td>" for c, a in zip(row, align, strict=True)) + "</tr>"
            for row in self.rows
        )
        return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"

    def _numeric(self, column: int) -> bool:
        return bool(self.rows) and all(_is_number(row[column]) for row in self.rows)


def _is_number(cell: Any) -> bool:
    """A number, or text that begins with one: ``3.1 ms`` and ``1.5x`` line up on the right too."""
    return isinstance(cell, (int, float)) or (isinstance(cell, str) and cell[:1].isdigit())

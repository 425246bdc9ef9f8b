"""A long table to look things up in: on a page it can be filtered, and each row has an address."""

import html
import re
from dataclasses import dataclass, field
from typing import Any, ClassVar

from compile_lessons.show.table import Kind, Table, looks


@dataclass(frozen=True)
class Listing(Table):
    """A table whose rows a reader looks up by their first cell.

    On a page, the row ``GB0170`` has the address ``#gb0170``; rows of the same name share the address of the first.
    A page with several listings gives each its own ``prefix``, which goes before the addresses.
    ``lessons`` maps an entry to the page that shows it, ``{"recompile_limit": "dynamo/recompiles"}``. The page's script
    turns the name into a link, because only the page knows where the site's root is.
    """

    lessons: dict[str, str] = field(default_factory=dict)
    prefix: str = ""

    MIME: ClassVar[str] = "application/vnd.compile-lessons.listing+json"

    def __str__(self) -> str:
        """A block for each row: its first cell, then the others, indented."""
        return "\n".join(
            f"{name}\n" + "".join(f"    {_indented(cell)}\n" for cell in cells if cell) for name, *cells in self.rows
        )

    def html(self, breaks: bool = False) -> str:
        head = "".join(f"<th>{html.escape(column)}</th>\n" for column in self.columns)
        seen: set[str] = set()
        body = ""
        for name, *cells in self._texts():
            anchor = self.anchor(name)
            address = "" if anchor in seen else f' id="{html.escape(anchor)}"'
            seen.add(anchor)
            lesson = f' <a data-lesson="{self.lessons[name]}">lesson</a>' if name in self.lessons else ""
            link = f'<a href="#{html.escape(anchor)}"><code>{_breakable(name)}</code></a>'
            others = "".join(map(_cell, cells, self._kinds()[1:]))
            body += f"<tr{address}><td>{link}{lesson}</td>\n{others}</tr>\n"
        return f'<table data-filter="rows"><thead><tr>{head}</tr>\n</thead><tbody>{body}</tbody></table>'

    def anchor(self, name: str) -> str:
        """Return the address on the page of the row that begins with a name."""
        return self.prefix + re.sub(r"[^a-z0-9_.]+", "-", name.lower()).strip("-")

    def _data(self) -> dict[str, Any]:
        return super()._data() | {"lessons": self.lessons, "prefix": self.prefix}


def _cell(text: str, kind: Kind) -> str:
    shown = _breakable(text)
    attribute = "" if "<" in shown.replace("<wbr>", "") else looks(text, kind)
    return f"<td{attribute}>{shown}</td>\n"


def _breakable(text: str) -> str:
    """Escape text, keep its lines, set `code` in backticks as code, and let a line end between the parts of a name,
    as in ``a_b.c``."""
    text = re.sub(r"`([^`]+)`", r"<code>\1</code>", html.escape(text))
    return re.sub(r"((?<=[^\W_])_+|(?<=\w)\.)(?=\w)", r"\1<wbr>", text).replace("\n", "<br>")


def _indented(cell: object) -> str:
    return str(cell).replace("\n", "\n    ")

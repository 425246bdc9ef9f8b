"""A small table: aligned text in a terminal, HTML on a page. Each column has a kind, which decides its looks."""

import html
import itertools
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal, Self

from compile_lessons.ground.colors import bold

#: What the cells of a column are. ``seconds`` are numbers that are shown with three digits and a unit.
Kind = Literal["number", "seconds", "code", "words"]

_RIGHT = ' style="text-align: right"'
#: Characters of a cell, and of a heading, that stay in one line.
_SHORT_CELL, _SHORT_HEADING = 20, 15
_INSTEAD_OF_A_NUMBER = ("inf", "nan", "never", "-", "")
#: Several numbers: ``2 8 64``, ``1, 2``.
_LIST = re.compile(r"\d+(,? \d+)+")
#: The hash of something, which may begin with a digit: ``8aec09f1``.
_HASH = re.compile(r"(?=.*[a-f])(?=.*\d)[\da-f]{6,}")
#: Names in code: ``TENSOR_MATCH``, ``L['x']``, ``arg0_1, buf2``, ``model.py:12``.
_NAMES = re.compile(r"(?![\d.])(?=.*\w[_.:\[(=]\S)\S+(, \S+)*")
#: A container or a string, a call, an index, an assignment, arithmetic: ``(2, 3)``, ``f(x, y)``, ``y = x``, ``x * 2``.
_EXPRESSION = re.compile(
    r"""[(\[{](?:[^a-zA-Z]*|.*[,:='"].*)[)\]}]|'.*'|".*"|[\w.]+(?:\(.*\)|\[.*\])|[\w."]+ ?= ?(?!…).+"""
    r"""|[\w.()\[\], ]+ (?:[*/@%+<>]|//|\*\*|[-+*/=]=) [\w.(].*"""
)
#: Words in a column of code: ``eager mode``; ``the same, width 1024``.
_WORDS = re.compile(r"[a-zA-Z]+(,? [\w-]+)+")
#: A name that doesn't break at its hyphen: ``reduce-overhead``.
_HYPHENATED = re.compile(r"[a-z]+-[a-z]+")


@dataclass(frozen=True)
class Table:
    """Rows under named columns.

    ``columns`` are the headings; each row of ``rows`` has one cell for each of them. ``kinds`` gives the kind of a
    column by its heading: numbers are aligned right, code has the font of code, seconds have a unit. A column that it
    leaves out has the kind of its cells. Raises ``ValueError`` if a row has another number of cells, and for a kind of
    a column that is not there.
    """

    columns: Sequence[str]
    rows: Sequence[Sequence[Any]]
    kinds: Mapping[str, Kind] = field(default_factory=dict, kw_only=True)

    #: The MIME type of the table as data.
    MIME: ClassVar[str] = "application/vnd.compile-lessons.table+json"

    def __post_init__(self) -> None:
        for row in self.rows:
            if len(row) != len(self.columns):
                raise ValueError(f"this row has {len(row)} cells under {len(self.columns)} columns: {row!r}")
        if unknown := set(self.kinds) - set(self.columns):
            raise ValueError(f"no column {sorted(unknown)[0]!r}; the columns are {', '.join(self.columns)}")

    def __str__(self) -> str:
        cells = [list(self.columns), *self._texts()]
        widths = [max(len(row[i]) for row in cells) for i in range(len(self.columns))]
        right = [kind in ("number", "seconds") for kind in self._kinds()]
        lines = [
            "  ".join(
                cell.rjust(w) if r else cell.ljust(w) for cell, w, r in zip(row, widths, right, strict=True)
            ).rstrip()
            for row in cells
        ]
        return "\n".join([bold(lines[0]), "  ".join("-" * w for w in widths), *lines[1:]])

    def _repr_html_(self) -> str:
        return self.html()

    def html(self, breaks: bool = False) -> str:
        """Return the table as HTML. With ``breaks``, long names may break after their parts."""
        texts, kinds = self._texts(), self._kinds()
        begins = _begin_groups([row[0] for row in texts])
        head = "".join(_heading(name, kind) for name, kind in zip(self.columns, kinds, strict=True))
        body = "".join(
            ('<tr class="group">' if begin else "<tr>")
            + "".join(_cell(text, kind, breaks) for text, kind in zip(row, kinds, strict=True))
            + "</tr>\n"
            for begin, row in zip(begins, texts, strict=True)
        )
        return f"<table><thead><tr>{head}</tr>\n</thead><tbody>{body}</tbody></table>"

    def to_json(self) -> str:
        """Return the table as data: columns with their kinds, and the cells."""
        return json.dumps(self._data(), ensure_ascii=False)

    def _data(self) -> dict[str, Any]:
        kinds = dict(zip(self.columns, self._kinds(), strict=True))
        rows = [[cell if isinstance(cell, str | int | float) else str(cell) for cell in row] for row in self.rows]
        return {"columns": list(self.columns), "rows": rows, "kinds": kinds}

    @classmethod
    def from_json(cls, text: str) -> Self:
        """Return the table that ``to_json`` wrote. Raises ``ValueError`` or ``TypeError`` for anything else."""
        return cls(**json.loads(text))

    def _kinds(self) -> tuple[Kind, ...]:
        """Return the kind of each column, as given, or that of its cells."""
        columns = [[row[i] for row in self.rows] for i in range(len(self.columns))]
        return tuple(self.kinds.get(name) or kind_of(cells) for name, cells in zip(self.columns, columns, strict=True))

    def _texts(self) -> list[list[str]]:
        return [[_text(cell, kind) for cell, kind in zip(row, self._kinds(), strict=True)] for row in self.rows]


def kind_of(cells: Sequence[Any]) -> Kind:
    """Return the kind of a column that has these cells.

    Numbers may have units (``3.1 ms``, ``1.5x``), and ``-``, ``never`` or nothing between them. Names and expressions
    are code if most cells are.
    """
    texts = [str(cell) for cell in cells if str(cell)]
    numbers = [_is_number(text) for text in texts]
    if any(numbers) and all(
        number or text in _INSTEAD_OF_A_NUMBER for number, text in zip(numbers, texts, strict=True)
    ):
        return "number"
    names = [text for text in texts if text != "-"]
    return "code" if 2 * sum(map(_is_code, names)) > len(names) else "words"


def duration(seconds: float) -> str:
    """Return ``seconds`` with three digits and the unit that suits them."""
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds / 1e-9:.3g} ns"


def _text(cell: Any, kind: Kind) -> str:
    return duration(cell) if kind == "seconds" and isinstance(cell, int | float) else str(cell)


def _is_number(text: str) -> bool:
    return text.removeprefix("-")[:1].isdigit() and not (_HASH.fullmatch(text) or _LIST.fullmatch(text))


def _is_code(text: str) -> bool:
    if text in ("None", "True", "False") or _NAMES.fullmatch(text) or _HASH.fullmatch(text):
        return True
    return _EXPRESSION.fullmatch(text) is not None


def _heading(name: str, kind: Kind) -> str:
    if not name:
        return "<td></td>\n"  # a heading without text says nothing to a screen reader
    text = html.escape(name)
    short = ' class="short"' if len(name) <= _SHORT_HEADING else ""
    if kind in ("number", "seconds"):
        whole = _HYPHENATED.sub(r'<span class="whole">\g<0></span>', text)
        return f"<th{_RIGHT}{short}>{whole}</th>\n"
    return f"<th{short}>{text}</th>\n"


def _cell(text: str, kind: Kind, breaks: bool) -> str:
    escaped = html.escape(text)
    if kind in ("number", "seconds"):
        return f"<td{_RIGHT}>{escaped}</td>\n"
    attribute = looks(text, kind)
    if breaks and attribute == ' class="code"':
        escaped = re.sub(r"/|(?<!_)_(?!_)", r"\g<0><wbr>", escaped)
    return f"<td{attribute}>{escaped}</td>\n"


def looks(text: str, kind: Kind) -> str:
    """Return the class attribute of a cell that is not a number: whether it stays in one line, and looks like code."""
    short = 0 < len(text) <= _SHORT_CELL
    code = kind == "code" and bool(text) and not _WORDS.fullmatch(text)
    names = " ".join(name for name, is_so in (("short", short), ("code", code)) if is_so)
    return f' class="{names}"' if names else ""


def _begin_groups(names: list[str]) -> list[bool]:
    """Return whether each row begins a group: where rows that begin alike stand together, two and more on average."""
    begins = [name not in ("", before) for before, name in itertools.pairwise(["", *names])]
    groups = sum(begins)
    together = groups == len({name for name in names if name})
    return begins if together and 1 < groups <= len(names) / 2 else [False] * len(names)

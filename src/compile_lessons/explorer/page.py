"""The panes as one HTML file, by the template ``page.html``. Without JavaScript they are there to read, one below the
other."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from html import escape
from itertools import count, groupby
from typing import Literal

from compile_lessons.explorer.differences import Place, differences
from compile_lessons.explorer.document import asset, document, filled, fonts
from compile_lessons.explorer.folds import folds
from compile_lessons.explorer.highlight import highlighted
from compile_lessons.explorer.hover import explained
from compile_lessons.explorer.links import Assemblies
from compile_lessons.explorer.sheet import Sheet, SheetLine, SheetPane, SheetPart, sheet
from compile_lessons.facts import Pipeline
from compile_lessons.ground import site
from compile_lessons.ground.words import counted, file_line

#: Lines of a part from which on it is divided, so that a browser lays out only what is seen, and lines of a division.
_LONG, _CHUNK = 300, 100

#: The web address of a lesson, ``dynamo/guards``.
Address = Callable[[str], str]

#: Where a link to a lesson opens: in place of the page that holds the explorer, or in a tab of its own.
Opens = Literal["_top", "_blank"]


def page(pipeline: Pipeline, assemblies: Assemblies | None = None) -> str:
    """Return the explorer of a pipeline as an HTML file. The pane *Assembly* is there for kernels that have one."""
    return page_of({"": sheet(pipeline, assemblies)})


def page_of(
    variants: Mapping[str, Sheet], address: Address = site.address, opens: Opens = "_top", own_fonts: bool = True
) -> str:
    """Return the explorer of one capture, or of several by their names, as an HTML file."""
    functions = ", ".join(dict.fromkeys(shown.function for shown in variants.values()))
    body = _body(variants, address, opens)
    return document(f"{functions}: every stage of its compile", style(own_fonts), body, script())


def style(own_fonts: bool = True) -> str:
    """Return the explorer's style sheet, with its fonts or without."""
    return (fonts() if own_fonts else "") + asset("palette.css") + asset("base.css") + asset("explorer.css")


def script() -> str:
    """Return the explorer's script."""
    return asset("explorer.js")


@dataclass(frozen=True)
class _Variant:
    """One capture on the page."""

    name: str
    sheet: Sheet
    #: The number on the page of each link.
    ids: dict[int, int]
    #: The classes of the lines that differ from those of another variant.
    marks: dict[Place, str]

    @cached_property
    def numbers(self) -> dict[str, str]:
        return {row.name: row.value for row in self.sheet.rows}


@dataclass(frozen=True)
class _Lines:
    """Lines of a part as HTML. Those with a ``fold`` are folded under it; many have the ``columns`` of the longest."""

    rows: str
    fold: str = ""
    columns: int | None = None


def _body(variants: Mapping[str, Sheet], address: Address, opens: Opens) -> str:
    sheets = list(variants.values())
    ids = _ids(sheets)
    drawn = [_Variant(*one) for one in zip(variants, sheets, ids, _marks(sheets), strict=True)]
    pairs = [known[number] for shown, known in zip(sheets, ids, strict=True) for number in shown.pairs]
    return filled(
        asset("page.html"),
        address=address,
        opens=opens,
        functions=", ".join(dict.fromkeys(shown.function for shown in sheets)),
        variants=drawn,
        several=len(drawn) > 1,
        lessons={row.name: row.lesson for shown in sheets for row in shown.rows},
        panes={pane.name: pane for shown in sheets for pane in shown.panes},
        opened={pane.name for shown in sheets for pane in shown.panes if pane.opened},
        pairs=json.dumps(pairs, separators=(",", ":")),
        counted=counted,
        short_place=_short_place,
        how_linked=_how_linked,
        divided=_divided,
    )


def _ids(sheets: Sequence[Sheet]) -> list[dict[int, int]]:
    """Return the number on the page of each link of each sheet. A line of Python has one number in all of them."""
    fresh = count()
    lines: dict[tuple[str, int | None], int] = {}
    ids: list[dict[int, int]] = []
    for shown in sheets:
        known: dict[int, int] = {}
        for title, line in _python_lines(shown):
            for link in line.links:
                place = title, line.number
                known[link] = lines[place] if place in lines else lines.setdefault(place, next(fresh))
        for link in dict.fromkeys(shown.pairs):
            if link not in known:
                known[link] = next(fresh)
        ids.append(known)
    return ids


def _python_lines(shown: Sheet) -> Iterator[tuple[str, SheetLine]]:
    for pane in shown.panes:
        if pane.name == "python":
            yield from ((part.title, line) for part in pane.parts for line in part.lines if line.number is not None)


def _marks(sheets: Sequence[Sheet]) -> list[dict[Place, str]]:
    """Return the classes of the lines that differ: in the first variant ``d2`` for lines that the third one lacks, in
    all others ``d0`` for lines that the first one lacks."""
    marks: list[dict[Place, str]] = [{} for _ in sheets]
    for number, other in enumerate(sheets[1:], 1):
        ours, theirs = differences(sheets[0], other)
        for place in ours:
            marks[0][place] = f"{marks[0].get(place, '')} d{number}"
        marks[number] = dict.fromkeys(theirs, " d0")
    return marks


def _short_place(place: str) -> str:
    file, _, line = place.rpartition(":")
    return file_line(file, int(line))


def _how_linked(pane: SheetPane) -> str:
    lines = [line for part in pane.parts for line in part.lines if line.number is not None or line.links]
    return f"{sum(bool(line.links) for line in lines)} of {counted(len(lines), 'line')} linked"


def _divided(variant: _Variant, pane: SheetPane, number: int) -> Iterator[_Lines]:
    """Yield the lines of a part, those to be folded apart from the others."""
    part = pane.parts[number]
    rows = [
        _row(line, explained(pane.name, html), variant.ids, variant.marks.get((pane.name, number, at), ""))
        for at, (line, html) in enumerate(zip(part.lines, _highlighted(part), strict=True))
    ]
    texts = [line.text for line in part.lines]
    done = 0
    for fold in folds(pane.name, texts, [bool(line.links) for line in part.lines]):
        yield _lines(rows[done : fold.begin], texts)
        yield _lines(rows[fold.begin : fold.end], texts, fold.title)
        done = fold.end
    yield _lines(rows[done:], texts)


def _highlighted(part: SheetPart) -> Iterator[str]:
    """Yield the lines as HTML. What stands between lines of code cuts a text, which is colored piece by piece."""
    for between, run in groupby(part.lines, key=_is_between):
        texts = [line.text for line in run]
        yield from map(escape, texts) if between else highlighted(part.lexer, texts)


def _is_between(line: SheetLine) -> bool:
    """Whether a line is words of ours, or a quote around a kernel, which would make a string of all its lines."""
    words = line.note or (line.number is None and line.text.startswith("…"))
    return words or line.text.startswith(("async_compile.", "'''"))


def _row(line: SheetLine, html: str, ids: dict[int, int], mark: str) -> str:
    number = "" if line.number is None else f" data-n={line.number}"
    anchors = f' data-a="{" ".join(str(ids[link]) for link in line.links)}"' if line.links else ""
    classes = f"l{' note' if line.note else ''}{mark}"
    classes = f'"{classes}"' if " " in classes else classes
    return f"<span class={classes}{number}{anchors}>{html}\n</span>"


def _lines(rows: Sequence[str], texts: Sequence[str], fold: str = "") -> _Lines:
    """Return rows with their fold. Many are divided into chunks, as wide as the longest of all ``texts``."""
    if len(rows) < _LONG:
        return _Lines("".join(rows), fold)
    chunks = (rows[begin : begin + _CHUNK] for begin in range(0, len(rows), _CHUNK))
    divided = "".join(f"<span class=chunk data-lines={len(chunk)}>{''.join(chunk)}</span>" for chunk in chunks)
    return _Lines(divided, fold, max(map(len, texts)))

"""What the explorer shows of one capture, as plain data: what is recorded of a program, and drawn on a page later."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from textwrap import wrap

import msgspec

from compile_lessons.explorer.links import Assemblies, Link, links, python
from compile_lessons.explorer.panes import Pane, PaneLine, panes
from compile_lessons.explorer.strip import Row, strip
from compile_lessons.facts import Pipeline
from compile_lessons.findings.finding import Finding
from compile_lessons.findings.rules import findings_of

#: Columns of the words of a finding below its line.
_WIDTH = 88


class SheetLine(msgspec.Struct, frozen=True, array_like=True):
    """A line of a pane. ``links`` are numbers, each of a place that the line stands for.

    ``note`` says that it is no line of the stage, but words of a finding about the line above.
    """

    number: int | None
    text: str
    links: tuple[int, ...] = ()
    note: bool = False


class SheetPart(msgspec.Struct, frozen=True):
    """A file, graph or kernel of a pane."""

    title: str
    lexer: str
    lines: tuple[SheetLine, ...]


class SheetPane(msgspec.Struct, frozen=True):
    """A stage."""

    name: str
    title: str
    opened: bool
    parts: tuple[SheetPart, ...]


class Note(msgspec.Struct, frozen=True):
    """A finding, and the number of the place that it is about; ``None`` if the panes don't show that line."""

    severity: str
    text: str
    remedy: str
    lesson: str
    place: str
    link: int | None


class Sheet(msgspec.Struct, frozen=True):
    """All of it. ``pairs`` are numbers of links, by turns one and one that was made from it."""

    function: str
    rows: tuple[Row, ...]
    failures: tuple[str, ...]
    notes: tuple[Note, ...]
    panes: tuple[SheetPane, ...]
    pairs: tuple[int, ...]

    def opening(self, names: Collection[str]) -> Sheet:
        """Return the same with these panes opened at first, and no others."""
        panes = (msgspec.structs.replace(pane, opened=pane.name in names) for pane in self.panes)
        return msgspec.structs.replace(self, panes=tuple(panes))

    def without_what_varies(self) -> Sheet:
        """Return the same without the rows that differ from run to run."""
        return msgspec.structs.replace(self, rows=tuple(row for row in self.rows if not row.varies))


def sheet(
    pipeline: Pipeline,
    assemblies: Assemblies | None = None,
    *,
    findings: Sequence[Finding] | None = None,
    rows: tuple[Row, ...] | None = None,
) -> Sheet:
    """Return what the explorer shows of a pipeline.

    ``findings`` and ``rows`` take the place of what the rules of a compile find, and of the numbers above the panes.
    """
    pairs = links(pipeline, assemblies)
    ids = {link: number for number, link in enumerate(dict.fromkeys(link for pair in pairs for link in pair))}
    notes = tuple(_notes(findings_of(pipeline) if findings is None else findings, ids))
    return Sheet(
        function=pipeline.function,
        rows=strip(pipeline) if rows is None else rows,
        failures=tuple(f"{one.stage} failed: {one.type}: {one.message}" for one in pipeline.failures),
        notes=notes,
        panes=tuple(_pane(pane, ids, notes if pane.name == "python" else ()) for pane in panes(pipeline, assemblies)),
        pairs=tuple(ids[link] for pair in pairs for link in pair),
    )


def _notes(findings: Sequence[Finding], ids: dict[Link, int]) -> Iterator[Note]:
    for found in findings:
        line = next((line for line in found.where if python(line) in ids), next(iter(found.where), None))
        yield Note(
            severity=found.severity,
            text=found.what,
            remedy=found.remedy,
            lesson=found.lesson,
            place=f"{line.file}:{line.line}" if line else "",
            link=ids.get(python(line)) if line else None,
        )


def _pane(pane: Pane, ids: dict[Link, int], notes: Sequence[Note]) -> SheetPane:
    parts = (
        SheetPart(part.title, part.lexer, tuple(_lines(part.lines, ids, notes))) for part in pane.parts if part.lines
    )
    return SheetPane(pane.name, pane.title, pane.opened, tuple(parts))


def _lines(lines: Sequence[PaneLine], ids: dict[Link, int], notes: Sequence[Note]) -> Iterator[SheetLine]:
    """Yield the lines, and below each the findings about it."""
    for line in lines:
        shown = SheetLine(line.number, line.text, tuple(ids[link] for link in line.links if link in ids))
        yield shown
        for note in notes:
            if note.link in shown.links:
                words = f"{note.text}. Fix: {note.remedy}" if note.remedy else note.text
                yield from (
                    SheetLine(None, text, shown.links, note=True)
                    for text in wrap(words, _WIDTH, initial_indent="▲ ", subsequent_indent="  ")
                )

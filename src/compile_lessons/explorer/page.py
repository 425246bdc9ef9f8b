"""The panes as one HTML file. Without JavaScript they are there to read, one below the other."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from html import escape
from itertools import count, groupby, zip_longest
from typing import Literal

from compile_lessons.explorer.differences import Place, differences
from compile_lessons.explorer.document import asset, document
from compile_lessons.explorer.folds import folds
from compile_lessons.explorer.highlight import highlighted
from compile_lessons.explorer.hover import explained
from compile_lessons.explorer.links import Assemblies
from compile_lessons.explorer.sheet import Note, Sheet, SheetLine, SheetPane, SheetPart, sheet
from compile_lessons.facts import Pipeline
from compile_lessons.ground import site
from compile_lessons.ground.words import counted, file_line

#: Lines of a part from which on it is divided, so that a browser lays out only what is seen, and lines of a division.
_LONG, _CHUNK = 300, 100
#: Of a button that stays pressed.
_OFF = ' aria-pressed="false"'

#: The web address of a lesson, ``dynamo/guards``.
Address = Callable[[str], str]

#: Where a link to a lesson opens: in place of the page that holds the explorer, or in a tab of its own.
Opens = Literal["_top", "_blank"]


def page(pipeline: Pipeline, assemblies: Assemblies | None = None) -> str:
    """Return the explorer of a pipeline as an HTML file. The pane *Assembly* is there for kernels that have one."""
    return page_of({"": sheet(pipeline, assemblies)})


def page_of(variants: Mapping[str, Sheet], address: Address = site.address, opens: Opens = "_top") -> str:
    """Return the explorer of one capture, or of several by their names, as an HTML file."""
    functions = ", ".join(dict.fromkeys(shown.function for shown in variants.values()))
    return document(f"{functions}: every stage of its compile", style(), _body(variants, address, opens), script())


def style() -> str:
    """Return the explorer's style sheet."""
    return asset("palette.css") + asset("base.css") + asset("explorer.css")


def script() -> str:
    """Return the explorer's script."""
    return asset("explorer.js")


def _body(variants: Mapping[str, Sheet], address: Address, opens: Opens) -> str:
    names, sheets = list(variants), list(variants.values())
    several = len(sheets) > 1
    ids = _ids(sheets)
    marks = _marks(sheets)
    pairs = [known[number] for shown, known in zip(sheets, ids, strict=True) for number in shown.pairs]
    functions = ", ".join(dict.fromkeys(shown.function for shown in sheets))
    heads = [f'<h2 class="variant" id="variant-{number}">{escape(name)}</h2>\n' for number, name in enumerate(names)]
    return (
        f"<header><h1><code>{escape(functions)}</code></h1>\n"
        + '<details class="about" open><summary>Numbers of the compile</summary>'
        + (_table(names, sheets, address, opens) if several else _list(sheets[0], address, opens))
        + "</details>"
        + "".join(_failures(name, shown) for name, shown in variants.items())
        + "".join(
            _notes(name, shown, known, address, opens)
            for (name, shown), known in zip(variants.items(), ids, strict=True)
        )
        + f"\n{_controls(names, sheets)}</header>\n<main>\n"
        + "".join(
            f'<div class="panes" data-variant="{number}">{heads[number] if several else ""}'
            + "".join(_pane(pane, number, several, ids[number], marks[number]) for pane in shown.panes)
            + "</div>\n"
            for number, shown in enumerate(sheets)
        )
        + f'</main>\n<script type="application/json" id="pairs">{json.dumps(pairs, separators=(",", ":"))}</script>'
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


def _list(shown: Sheet, address: Address, opens: Opens) -> str:
    rows = "".join(
        f"<div><dt>{row.name}</dt><dd>{escape(row.value)}{_lesson(row.lesson, address, opens)}</dd></div>"
        for row in shown.rows
    )
    return f'<dl class="summary">{rows}</dl>'


def _lesson(name: str, address: Address, opens: Opens) -> str:
    return f' <a href="{escape(address(name))}" target="{opens}">lesson</a>' if name else ""


def _table(names: Sequence[str], sheets: Sequence[Sheet], address: Address, opens: Opens) -> str:
    """Return a row for each number and a column for each variant."""
    head = "".join(f'<th scope="col">{escape(name)}</th>' for name in names)
    values = [{row.name: row.value for row in shown.rows} for shown in sheets]
    lessons = {row.name: row.lesson for shown in sheets for row in shown.rows}
    rows = ""
    for name, lesson in lessons.items():
        cells = "".join(f"<td>{escape(known.get(name, 'none'))}</td>" for known in values)
        rows += f'<tr><th scope="row">{name}{_lesson(lesson, address, opens)}</th>{cells}</tr>'
    return (
        '<div class="wide" tabindex="0" role="group" aria-label="Summary"><table class="summary">'
        f"<thead><tr><td></td>{head}</tr></thead><tbody>{rows}</tbody></table></div>"
    )


def _failures(name: str, shown: Sheet) -> str:
    where = f"{escape(name)}: " if name else ""
    return "".join(f"<p><strong>{where}</strong>{escape(failure)}</p>" for failure in shown.failures)


def _notes(name: str, shown: Sheet, ids: dict[int, int], address: Address, opens: Opens) -> str:
    if not shown.notes:
        return ""
    title = counted(len(shown.notes), "finding") + (f", {escape(name)}" if name else "")
    items = "".join(f"<li>{_note(note, ids, address, opens)}</li>" for note in shown.notes)
    return f'<details class="notes"><summary>{title}</summary><ul>{items}</ul></details>'


def _note(note: Note, ids: dict[int, int], address: Address, opens: Opens) -> str:
    place, fix = "", ""
    if note.place:
        file, _, line = note.place.rpartition(":")
        link = "" if note.link is None else f' data-link="{ids[note.link]}"'
        place = f' <button type="button" class="place" disabled{link}>{escape(file_line(file, int(line)))}</button>'
    if note.remedy:
        fix = f" Fix: {escape(note.remedy)}"
    return f"{escape(note.text)}{place}{fix}{_lesson(note.lesson, address, opens)}"


def _controls(names: Sequence[str], sheets: Sequence[Sheet]) -> str:
    """Return the form that needs the script, which shows it."""
    panes = {pane.name: pane for shown in sheets for pane in shown.panes}
    opened = {pane.name for shown in sheets for pane in shown.panes if pane.opened}
    boxes = "".join(
        f'<label><input type="checkbox" name="pane" value="{name}"{" checked" if name in opened else ""}> {pane.title}'
        f'<span class="count"></span></label>'
        for name, pane in panes.items()
    )
    return (
        f'<form class="controls" hidden>{_switch(names) if len(names) > 1 else ""}'
        '<details class="choice" open><summary>Panes</summary>'
        f"<fieldset><legend>Panes</legend>{boxes}</fieldset></details>"
        '<label>Search <input type="search" id="search" autocomplete="off" spellcheck="false"></label> '
        '<button type="button" id="unpin" disabled>Unpin</button>'
        '<p role="status" id="status">Point at a line to light up what it came from and what became of it. '
        "Click or press Enter to pin it.</p></form>"
    )


def _switch(names: Sequence[str]) -> str:
    first = escape(names[0])
    choices = "".join(
        f'<label><input type="radio" name="variant" value="{number}"{checked}> {escape(name)}</label>'
        for number, (name, checked) in enumerate(zip_longest(names, [" checked"], fillvalue=""))
    )
    return (
        f"<fieldset><legend>Variant</legend>{choices}"
        f'<label><input type="checkbox" id="beside"> beside {first}</label>'
        f"<span>A line with ≠ differs from {first}.</span></fieldset>"
    )


def _pane(pane: SheetPane, variant: int, several: bool, ids: dict[int, int], marks: Mapping[Place, str]) -> str:
    name = f"{pane.name}-{variant}" if variant else pane.name
    label = f"{name}-title variant-{variant}" if several else f"{name}-title"
    lines = [line for part in pane.parts for line in part.lines if line.number is not None or line.links]
    linked = sum(bool(line.links) for line in lines)
    parts = "".join(_part(pane, number, ids, marks) for number in range(len(pane.parts)))
    buttons = "".join(
        f'<button type="button" class="{word.lower()}" hidden{pressed} aria-label="{word} {pane.title}">{word}</button>'
        for word, pressed in (("Widen", _OFF), ("Wrap", _OFF), ("Copy", ""))
    )
    return (
        f'<section id="{name}" data-pane="{pane.name}" aria-labelledby="{label}"><div class="head">'
        f'<h2 id="{name}-title">{pane.title}</h2><span>{linked} of {counted(len(lines), "line")} linked</span>'
        f"{buttons}</div>"
        f'<div class="scroll">{parts}</div></section>\n'
    )


def _part(pane: SheetPane, number: int, ids: dict[int, int], marks: Mapping[Place, str]) -> str:
    part = pane.parts[number]
    rows = [
        _row(line, explained(pane.name, html), ids, marks.get((pane.name, number, at), ""))
        for at, (line, html) in enumerate(zip(part.lines, _highlighted(part), strict=True))
    ]
    label = escape(f"{pane.title}: {part.title}", quote=True)
    texts = [line.text for line in part.lines]
    shown, done = f"<h3>{escape(part.title)}</h3>", 0
    for fold in folds(pane.name, texts, [bool(line.links) for line in part.lines]):
        shown += _listing(rows[done : fold.begin], texts, label)
        folded = _listing(rows[fold.begin : fold.end], texts, f"{label}, {fold.title}")
        shown += f'<details class="fold"><summary>{fold.title}</summary>{folded}</details>'
        done = fold.end
    return shown + _listing(rows[done:], texts, label)


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


def _listing(rows: Sequence[str], texts: Sequence[str], label: str) -> str:
    if not rows:
        return ""
    if len(rows) < _LONG:
        return f'<pre aria-label="{label}">{"".join(rows)}</pre>'
    chunks = (rows[begin : begin + _CHUNK] for begin in range(0, len(rows), _CHUNK))
    divided = "".join(f"<span class=chunk data-lines={len(chunk)}>{''.join(chunk)}</span>" for chunk in chunks)
    return f'<pre aria-label="{label}" data-columns={max(map(len, texts))}>{divided}</pre>'

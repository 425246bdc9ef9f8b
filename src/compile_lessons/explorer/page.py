"""The panes as one HTML file. Without JavaScript they are there to read, one below the other."""

from __future__ import annotations

import json
from collections.abc import Iterable
from html import escape

from compile_lessons.explorer.document import asset, document
from compile_lessons.explorer.highlight import highlighted
from compile_lessons.explorer.links import Link, links
from compile_lessons.explorer.panes import Pane, PanePart, panes
from compile_lessons.facts import Pipeline, total
from compile_lessons.ground.words import counted


def page(pipeline: Pipeline) -> str:
    """Return the explorer of a pipeline as an HTML file."""
    style = asset("base.css") + asset("explorer.css")
    return document(f"{pipeline.function}: every stage of its compile", style, body(pipeline), asset("explorer.js"))


def body(pipeline: Pipeline) -> str:
    """Return what the page shows: the summary, the panes, and the links for the script."""
    pairs = links(pipeline)
    ids = {link: number for number, link in enumerate(dict.fromkeys(link for pair in pairs for link in pair))}
    numbers = json.dumps([ids[link] for pair in pairs for link in pair], separators=(",", ":"))
    shown = panes(pipeline)
    return (
        f"<header><h1><code>{escape(pipeline.function)}</code></h1>\n{_summary(pipeline)}\n{_controls(shown)}</header>\n"
        + '<main class="panes">\n'
        + "".join(_pane(pane, ids) for pane in shown)
        + f'</main>\n<script type="application/json" id="pairs">{numbers}</script>'
    )


def _summary(pipeline: Pipeline) -> str:
    """Return what the compile came to, in a row of numbers, and what failed."""
    lowered = [part for graph in pipeline.graphs for part in graph.inductor]
    operations = sum(len(part.ir) for part in lowered)
    moved = total(kernel.bytes for kernel in pipeline.kernels if kernel.source)
    words = [
        counted(len(pipeline.graphs), "graph"),
        counted(len(pipeline.breaks), "graph break"),
        counted(len(pipeline.guards), "guard"),
    ]
    if lowered:
        words.append(f"{counted(operations, 'operation')} in {counted(len(pipeline.kernels), 'kernel call')}")
    if moved:
        words.append(f"{moved:,} bytes read and written by generated kernels")
    items = "".join(
        f"<li>{escape(word)}</li>" for word in [*words, f"torch {pipeline.torch_version}, {pipeline.target}"]
    )
    failures = "".join(
        f"<p><strong>{escape(failure.stage)} failed:</strong> {escape(f'{failure.type}: {failure.message}')}</p>"
        for failure in pipeline.failures
    )
    return f'<ul class="summary">{items}</ul>{failures}'


def _controls(shown: Iterable[Pane]) -> str:
    """Return the form that needs the script, which shows it."""
    boxes = "".join(
        f'<label><input type="checkbox" value="{pane.name}"{" checked" if pane.opened else ""}> {pane.title}'
        f'<span class="count"></span></label>'
        for pane in shown
    )
    return (
        '<form class="controls" hidden>'
        f"<fieldset><legend>Panes</legend>{boxes}</fieldset>"
        '<label>Search <input type="search" id="search" autocomplete="off" spellcheck="false"></label> '
        '<button type="button" id="unpin" disabled>Unpin</button>'
        '<p role="status" id="status">Point at a line to light up what it came from and what became of it. '
        "Click or press Enter to pin it.</p></form>"
    )


def _pane(pane: Pane, ids: dict[Link, int]) -> str:
    lines = [line for part in pane.parts for line in part.lines if line.number is not None or line.links]
    linked = sum(any(link in ids for link in line.links) for line in lines)
    parts = "".join(_part(pane, part, ids) for part in pane.parts if part.lines)
    return (
        f'<section id="{pane.name}" aria-labelledby="{pane.name}-title"><div class="head">'
        f'<h2 id="{pane.name}-title">{pane.title}</h2><span>{linked} of {counted(len(lines), "line")} linked</span>'
        f'<button type="button" class="copy" hidden aria-label="Copy {pane.title}">Copy</button></div>'
        f'<div class="scroll">{parts}</div></section>\n'
    )


def _part(pane: Pane, part: PanePart, ids: dict[Link, int]) -> str:
    rows = []
    for line, html in zip(part.lines, highlighted(part.lexer, [line.text for line in part.lines]), strict=True):
        number = "" if line.number is None else f" data-n={line.number}"
        found = [str(ids[link]) for link in line.links if link in ids]
        anchors = f' data-a="{" ".join(found)}"' if found else ""
        rows.append(f"<span class=l{number}{anchors}>{html}\n</span>")
    label = escape(f"{pane.title}: {part.title}", quote=True)
    return f'<h3>{escape(part.title)}</h3><pre aria-label="{label}">{"".join(rows)}</pre>'

"""The HTML of an embed, in the theme's own terms: code blocks, admonitions, details and tabs."""

from __future__ import annotations

import ast
import functools
import hashlib
import html
import itertools

from pymdownx.highlight import Highlight

from compile_lessons.records.record import Failure, Output, Record

_numbers = itertools.count()


def source(code: str, title: str, first_line: int, highlight: list[int]) -> str:
    """Python source with the line numbers of its file; ``highlight`` counts from its first line, 1."""
    shown = _highlight().highlight(code, "python", linestart=first_line, hl_lines=highlight, title=title)
    return f'<div class="snippet-source">{shown}</div>'


def checks(code: str, first_line: int) -> str:
    """The asserts of a snippet, folded."""
    number = sum(isinstance(node, ast.Assert) for node in ast.walk(ast.parse(code)))
    title = f"checked: {number} statement{'' if number == 1 else 's'}"
    shown = _highlight().highlight(code, "python", linestart=first_line)
    return f'<details class="snippet-checks"><summary>{title}</summary>{shown}</details>'


@functools.cache
def _highlight() -> Highlight:
    return Highlight(None, linenums_style="pymdownx-inline", pygments_lang_class=True)


def output(record: Record, outputs: list[Output], collapsed: bool) -> str:
    shown = "".join(map(_one, outputs)) or '<p class="snippet-silent">It prints nothing.</p>'
    if collapsed:
        lines = record.text.count("\n")
        shown = f'<details class="example"><summary>Output, {lines} lines</summary>{shown}</details>'
    return f'<div class="snippet-output">{shown}</div>{provenance(record)}'


def _one(item: Output) -> str:
    if "image/svg+xml" in item.rich:
        return f'<div class="snippet-rich">{item.rich["image/svg+xml"]}</div>'
    if "text/html" in item.rich:
        return f'<div class="snippet-rich md-typeset__scrollwrap">{item.rich["text/html"]}</div>'
    return _preformatted(item.text)


def _preformatted(text: str) -> str:
    return f'<div class="highlight"><pre><code>{html.escape(text, quote=False)}</code></pre></div>'


def provenance(record: Record) -> str:
    """Where the output is from: ran now or recorded, command, versions, processor, time, date."""
    recorded = record.device != "cpu"
    how = f"Recorded on {record.device}" if recorded else "Ran when this page was built"
    facts = [
        f"<code>{html.escape(record.command)}</code>",
        f"torch {record.torch}",
        *([f"triton {record.triton}"] if record.triton else []),
        f"Python {record.python}",
        f"{record.isa}, {record.cores} core{'s' if record.cores != 1 else ''}",
        f"compiler caches {record.caches}",
        f"{record.duration:.1f} s",
        f'<time datetime="{record.date}">{record.date[:10]}</time>',
    ]
    if record.varies:
        facts.append("differs from run to run")
    if record.raised:
        facts.append(f"ends with {html.escape(record.raised.split(':')[0])}, as it should")
    kind = "recorded" if recorded else "ran"
    return f'<p class="snippet-provenance snippet-{kind}"><strong>{how}</strong> {" · ".join(facts)}</p>'


def failure(name: str, what: Failure, text: str = "") -> str:
    place = f"snippets/{name}" + (f", line {what.line}" if what.line else "")
    remedy = f"<p>To mend it: {html.escape(what.remedy)}.</p>" if what.remedy else ""
    printed = _preformatted(text) if text else ""
    return (
        f'<div class="admonition failure snippet-failure" data-snippet="{html.escape(name)}">'
        f'<p class="admonition-title">This snippet failed: {html.escape(place)}</p>'
        f"<p>{html.escape(what.message)}</p>{remedy}{printed}</div>"
    )


def lacking(name: str, reason: str) -> str:
    return (
        f'<div class="admonition warning snippet-lacking" data-snippet="{html.escape(name)}">'
        f'<p class="admonition-title">No output on this machine</p>'
        f"<p>snippets/{html.escape(name)} {html.escape(reason)}.</p></div>"
    )


def pending(name: str) -> str:
    return (
        f'<div class="admonition info snippet-pending" data-snippet="{html.escape(name)}">'
        '<p class="admonition-title">Still running</p>'
        f"<p>snippets/{html.escape(name)} is running; this page fills in when it is done.</p></div>"
    )


def inline(text: str, css: str, title: str) -> str:
    return f'<span class="{css}" title="{html.escape(title)}">{html.escape(text)}</span>'


def tabs(name: str, source_html: str, output_html: str) -> str:
    """The theme's content tabs (pymdownx.tabbed, alternate style)."""
    group = f"snippet-{hashlib.sha256(name.encode()).hexdigest()[:8]}-{next(_numbers)}"
    inputs = "".join(
        f'<input {"checked " if i == 1 else ""}id="{group}-{i}" name="{group}" type="radio">' for i in (1, 2)
    )
    labels = "".join(f'<label for="{group}-{i}">{label}</label>' for i, label in ((1, "Source"), (2, "Output")))
    blocks = "".join(f'<div class="tabbed-block">{block}</div>' for block in (source_html, output_html))
    return (
        f'<div class="tabbed-set tabbed-alternate" data-tabs="1:2">{inputs}<div class="tabbed-labels">{labels}</div>'
        f'<div class="tabbed-content">{blocks}</div></div>'
    )

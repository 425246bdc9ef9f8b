"""What a page calls: ``snippet("dynamo/guards.py")`` in a markdown-exec block, and a value in a sentence.

``mkdocs.yml`` names ``format_block`` as the formatter of ``python`` fences and ``format_value`` as that of inline
``value`` code, so that MkDocs and Zensical reach them the same way.
"""

from __future__ import annotations

import functools
import logging
import re
from typing import Any

import markdown_exec

from compile_lessons.project import ProjectError, find_project
from compile_lessons.records.record import Failure, Output, Record
from compile_lessons.records.snippet import Snippet, SnippetError
from compile_lessons.site import markup
from compile_lessons.site.lookup import Found, Lookup

SHOW = ("both", "source", "output", "tabs")
_log = logging.getLogger("mkdocs.compile_lessons")
_PRELUDE = (
    "from compile_lessons.site.embed import snippet as _snippet; snippet = lambda *a, **k: print(_snippet(*a, **k)); "
)


def format_block(source: str, language: str, css_class: str, options: dict[str, Any], md: Any, **others: Any) -> str:
    """markdown-exec's formatter, with ``snippet`` at hand and its HTML taken as it is."""
    options["html"] = True
    return markdown_exec.formatter(_PRELUDE + source, language, css_class, options, md, **others)


def format_value(source: str, language: str, class_name: str, md: Any) -> str:
    """The value of ``folder/name.py:value`` or ``folder/name.py:value:format``, as text."""
    name, value, spec = split_value(source)
    try:
        found = _lookup().find(name)
        if found.running:
            return markup.inline("…", "snippet-pending", f"{name} is still running")
        if found.failure or found.lacking:
            return markup.inline("?", "snippet-failure", f"{name}: {found.lacking or found.failure.message}")
        return markup.inline(value_text(found.record, value, spec), "snippet-value", f"snippets/{name}: {value}")
    except ProjectError as error:
        _log.warning("%s", error)
        return markup.inline("?", "snippet-failure", str(error))


def split_value(call: str) -> tuple[str, str, str]:
    """``dynamo/guards.py:ratio:.1f`` as snippet, value and format."""
    name, _, rest = call.strip().partition(":")
    value, _, spec = rest.partition(":")
    return name, value, spec


def value_text(record: Record, value: str, spec: str) -> str:
    """Raises ``SnippetError`` if the record has no such value, or not one of that format."""
    if value not in record.values:
        known = ", ".join(sorted(record.values)) or "none"
        raise SnippetError(f"snippets/{record.snippet}: no value {value!r} at its end; it has {known}")
    try:
        return format(record.values[value], spec)
    except ValueError as error:
        raise SnippetError(f"snippets/{record.snippet}: {value} cannot be shown as {spec!r}: {error}") from None


def snippet(
    name: str,
    *,
    show: str = "both",
    region: str | None = None,
    highlight: str = "",
    collapsed: bool = False,
    lines: str | None = None,
) -> str:
    """HTML of a snippet's source, its output in order and where that is from.

    ``show`` is one of ``both``, ``source``, ``output`` and ``tabs``; ``region`` names a part of the source;
    ``highlight`` lists lines as numbered in the file (``"3 5-7"``); ``collapsed`` folds the output; ``lines`` shows
    that part of it. What cannot be shown becomes a failure on the page, which ``compile-lessons check`` finds.
    """
    try:
        if show not in SHOW:
            raise SnippetError(f"snippets/{name}: show={show!r} is not one of {', '.join(SHOW)}")
        found = _lookup().find(name)
        source = _source(found.plan.snippet, region, highlight) if show != "output" else ""
        output = _output(found, lines, collapsed) if show != "source" else ""
    except ProjectError as error:
        _log.warning("%s", error)
        return markup.failure(name, Failure(None, str(error), ""))
    return markup.tabs(name, source, output) if show == "tabs" else source + output


@functools.cache
def _lookup() -> Lookup:
    return Lookup(find_project())


def _source(item: Snippet, region: str | None, highlight: str) -> str:
    code, first = item.region(region) if region else (item.program(), item.first_line)
    chosen = highlighted_lines(item.name, code, first, highlight)
    shown = markup.source(code, f"snippets/{item.name}", first, [number - first + 1 for number in chosen])
    checks = None if region else item.checks()
    return shown + (markup.checks(*checks) if checks else "")


def highlighted_lines(name: str, code: str, first: int, highlight: str) -> list[int]:
    """Raises ``SnippetError`` if a line is not among those of ``code``, whose first has the number ``first``."""
    chosen = line_numbers(highlight, name)
    last = first + code.count("\n") - 1
    if outside := [number for number in chosen if not first <= number <= last]:
        raise SnippetError(f"snippets/{name}: highlight {outside[0]} is not among the lines shown, {first} to {last}")
    return chosen


def _output(found: Found, lines: str | None, collapsed: bool) -> str:
    name = found.plan.snippet.name
    if found.failure:
        failure = found.failure
        _log.warning("snippets/%s%s: %s", name, f":{failure.line}" if failure.line else "", failure.message)
        return markup.failure(name, failure, found.record.text if found.record else "")
    if found.lacking:
        return markup.lacking(name, found.lacking)
    if found.record is None:
        return markup.pending(name)
    outputs = found.record.outputs
    if lines is not None:
        outputs = [Output(some_lines(found.record, lines))]
    return markup.output(found.record, outputs, collapsed)


def some_lines(record: Record, lines: str) -> str:
    """Raises ``SnippetError`` if the output has not that many."""
    text = record.text.splitlines(keepends=True)
    wanted = line_numbers(lines, record.snippet)
    if outside := [number for number in wanted if number > len(text)]:
        raise SnippetError(f"snippets/{record.snippet}: its output has {len(text)} lines, no line {outside[0]}")
    return "".join(text[number - 1] for number in wanted)


def line_numbers(text: str, name: str) -> list[int]:
    """``"3 5-7"`` as 3, 5, 6, 7. Raises ``SnippetError`` for anything else."""
    numbers: list[int] = []
    for part in text.split():
        match = re.fullmatch(r"([1-9]\d*)(?:-([1-9]\d*))?", part)
        found = range(int(match[1]), int(match[2] or match[1]) + 1) if match else ()
        if not found:
            raise SnippetError(f"snippets/{name}: {part!r} is not a line or a range of lines")
        numbers.extend(found)
    return numbers

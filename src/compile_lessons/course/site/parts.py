"""What an embed shows, as plain data: lines of the source, parts of the output, a value."""

import re
from dataclasses import dataclass

from compile_lessons.course.records.record import Output, Record
from compile_lessons.course.records.snippet import Snippet, SnippetError
from compile_lessons.course.site.pages import Embed, InlineValue


@dataclass(frozen=True)
class Source:
    """Lines of a snippet, numbered from ``first_line`` as in its file; ``highlight`` counts from the first one, 1."""

    title: str
    code: str
    first_line: int
    highlight: tuple[int, ...] = ()


def source_of(snippet: Snippet, embed: Embed) -> Source:
    """Return the program without its checks, or the region that the embed names.

    Raises ``SnippetError`` for a region that is not there and for highlighted lines that are not shown.
    """
    code, first = snippet.region(embed.region) if embed.region else (snippet.program(), snippet.first_line)
    numbers = line_numbers(embed.highlight, snippet.name)
    last = first + code.count("\n") - 1
    if outside := [number for number in numbers if not first <= number <= last]:
        shown = f"the lines shown, {first} to {last}"
        raise SnippetError(f"snippets/{snippet.name}: highlight {outside[0]} is not among {shown}")
    return Source(f"snippets/{snippet.name}", code, first, tuple(number - first + 1 for number in numbers))


def outputs_of(record: Record, embed: Embed) -> list[Output]:
    """Return the output, or the lines of it that the embed names.

    Raises ``SnippetError`` if it has not that many, and where no line that is shown has the text to be marked.
    """
    outputs = record.outputs if embed.lines is None else _lines_of(record, embed.lines)
    if embed.mark and not any(embed.mark in item.text for item in outputs if not item.rich):
        raise SnippetError(f"snippets/{record.snippet}: no line of the output contains {embed.mark!r}, to be marked")
    return outputs


def _lines_of(record: Record, named: str) -> list[Output]:
    """Return these lines as text, but for a result all of whose lines are named: that keeps its rich form."""
    numbers = set(line_numbers(named, record.snippet))
    outputs: list[Output] = []
    last = 0
    for item in _whole_lines(record.outputs):
        lines = item.text.splitlines(keepends=True)
        first, last = last + 1, last + len(lines)
        shown = [line for number, line in enumerate(lines, first) if number in numbers]
        if item.rich and len(shown) == len(lines):
            outputs.append(item)
        elif shown:
            outputs.append(Output("".join(shown)))
    if outside := [number for number in sorted(numbers) if number > last]:
        raise SnippetError(f"snippets/{record.snippet}: its output has {last} lines, no line {outside[0]}")
    return outputs


def _whole_lines(outputs: list[Output]) -> list[Output]:
    """Join text to the text before it, and to what does not end its line."""
    joined: list[Output] = []
    for item in outputs:
        if joined and not (joined[-1].text.endswith("\n") and (item.rich or joined[-1].rich)):
            joined[-1] = Output(joined[-1].text + item.text)
        else:
            joined.append(item)
    return joined


def text_of(record: Record, value: InlineValue) -> str:
    """Return a value in its format. Raises ``SnippetError`` if the record has no such value, or not of that format."""
    if value.value not in record.values:
        names = ", ".join(sorted(record.values)) or "none"
        raise SnippetError(f"snippets/{record.snippet}: no value {value.value!r} at its end; it has {names}")
    try:
        return format(record.values[value.value], value.spec)
    except ValueError as error:
        shown = f"{value.value} cannot be shown as {value.spec!r}: {error}"
        raise SnippetError(f"snippets/{record.snippet}: {shown}") from None


def line_numbers(text: str, name: str) -> list[int]:
    """Return ``"3 5-7"`` as 3, 5, 6, 7. Raises ``SnippetError`` for anything else."""
    numbers: list[int] = []
    for part in text.split():
        match = re.fullmatch(r"([1-9]\d*)(?:-([1-9]\d*))?", part)  # "3" or "5-7"
        lines = range(int(match[1]), int(match[2] or match[1]) + 1) if match else range(0)
        if not lines:
            raise SnippetError(f"snippets/{name}: {part!r} is not a line or a range of lines")
        numbers.extend(lines)
    return numbers

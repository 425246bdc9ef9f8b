"""Words of messages and of text forms, which are for 100 columns."""

import os
import re
import textwrap
from collections.abc import Iterable

WIDTH = 100
#: Where an object is, as in ``<function f at 0x7f3c5a2b1d80>``: another place in each run.
ADDRESS = re.compile(r" at 0x[0-9a-f]+")


def one_line(value: str) -> str:
    """Return the words of ``value`` with single spaces between them."""
    return " ".join(value.split())


def shorten(value: str, width: int) -> str:
    """Return one line of at most ``width`` characters: the beginning of ``value``."""
    line = one_line(value)
    return line if len(line) <= width else line[: width - 1] + "…"


def shorten_left(value: str, width: int) -> str:
    """Return at most the last ``width`` characters. The end of a path or of a long name tells most."""
    return value if len(value) <= width else "…" + value[len(value) + 1 - width :]


def counted(number: int, noun: str) -> str:
    """Return ``1 graph``, ``2 graphs``."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def size(number: int | None) -> str:
    """Return a number with commas, or ``-`` if it is unknown."""
    return "-" if number is None else f"{number:,}"


def short_number(value: str) -> str:
    """Return a number with at most five digits after the point."""
    return f"{float(value):.5g}" if re.fullmatch(r"-?\d+\.\d{5,}", value) else value


def rough_duration(seconds: float) -> str:
    """Return ``12.3 s``, ``45 ms``, ``under 1 ms``."""
    if seconds >= 0.1:
        return f"{seconds:.1f} s"
    return f"{1000 * seconds:.0f} ms" if seconds >= 0.001 else "under 1 ms"


def file_line(file: str, line: int, width: int = WIDTH) -> str:
    """Return ``file.py:12`` without folders, at most the last ``width`` characters. A file's name may have an end of
    a line in it."""
    name = os.path.basename(file).replace("\n", "\\n")
    return shorten_left(f"{name}:{line}", width)


def wrap(body: str, indent: str = "  ") -> str:
    """Break the lines of ``body`` at 100 columns. Continuation lines are indented."""
    return "\n".join(textwrap.fill(line, WIDTH, subsequent_indent=indent) for line in body.splitlines())


def cut(body: str) -> str:
    """Cut each line of ``body`` at 100 columns. Code is cut, not wrapped."""
    return "\n".join(line if len(line) <= WIDTH else line[: WIDTH - 1] + "…" for line in body.splitlines())


def section(title: str, body: str) -> str:
    """Return ``body`` under a title; nothing if there is no body."""
    return f"{title}\n{body}" if body else ""


def join(paragraphs: Iterable[str]) -> str:
    """Join the paragraphs that are not empty with an empty line between them."""
    return "\n\n".join(paragraph for paragraph in paragraphs if paragraph)

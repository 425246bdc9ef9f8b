"""Colors of text in a terminal, which are off until a command turns them on."""

import os
import re
from contextvars import ContextVar

_on = ContextVar("colors", default=False)
#: Begins a color until the text is printed. Text by others can't have it, and so it can't have a color.
_MARK = f"<{os.urandom(8).hex()} "


def use_colors(on: bool) -> None:
    """Turn colors on or off, for text that is made from now on."""
    _on.set(on)


def red(text: str) -> str:
    """Color the first line, of a failure."""
    return _styled(text, 31)


def yellow(text: str) -> str:
    """Color the first line, of what stays in eager mode or is not there."""
    return _styled(text, 33)


def bold(text: str) -> str:
    """Print the first line in bold: a heading."""
    return _styled(text, 1)


def in_color(text: str) -> str:
    """Return ``text`` with its colors as a terminal takes them."""
    return re.sub(rf"{_MARK}(\d+)>", "\x1b[\\1m", text)


def _styled(text: str, code: int) -> str:
    first, end, rest = text.partition("\n")
    return f"{_MARK}{code}>{first}{_MARK}0>{end}{rest}" if _on.get() and first else text

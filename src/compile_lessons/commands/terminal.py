"""Print for a terminal in color and through a pager, and for a pipe or a file as plain text."""

import os
import pydoc
import sys
from typing import NoReturn

import typer

from compile_lessons.ground.colors import in_color, use_colors
from compile_lessons.ground.printing import printable, say


def color_for_terminal() -> None:
    """Have texts made in color, if they will be printed to a terminal. ``NO_COLOR`` turns that off."""
    plain = os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
    use_colors(sys.stdout.isatty() and not plain)


def write(text: str) -> None:
    """Print ``text``; in a terminal through the pager, as Python's ``help()`` does.

    ``PAGER`` names the pager. ``less`` prints a short text and ends.
    """
    if not sys.stdout.isatty():
        say(text)
        sys.stdout.flush()  # here, where it can still change the status
        return
    os.environ.setdefault("LESS", "FRX")  # end if the text fits, keep colors, leave the text on the screen
    pydoc.pager(in_color(printable(text)))


def stop(message: str, status: int = 2) -> NoReturn:
    """End the command with an error that the reader can correct."""
    say(f"error: {message}", error=True)
    raise typer.Exit(status) from None

"""Print for a terminal in color and through a pager, and for a pipe or a file as plain text."""

from __future__ import annotations

import os
import pydoc
import re
import sys
from typing import NoReturn

import typer

#: Lines in color. Examples: "dynamo failed: Unsupported", "differs from eager mode", "graph breaks: 2",
#: "not compiled: …", "dynamo graph, 3 operations", and the line above the dashes of a table.
_COLORS = {
    r"(?m)^.*failed: .*$|^differs from .*$": typer.colors.RED,
    r"(?m)^(?:graph )?break.*$|^(?:skipped|not compiled|not compared|no ).*$": typer.colors.YELLOW,
    r"(?m)^(?:frame|resume function|\w+ graph,|Inductor,).*$|^.*(?=\n-[- ]*$)": None,
}


def write(text: str) -> None:
    """Print ``text``; in a terminal in color and through the pager, as Python's ``help()`` does.

    ``PAGER`` names the pager. ``less`` prints a short text and ends. ``NO_COLOR`` turns off the colors.
    """
    sys.stdout.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]  # for what the encoding lacks
    if not sys.stdout.isatty():
        print(text)
        sys.stdout.flush()  # here, where it can still change the status
        return
    os.environ.setdefault("LESS", "FRX")  # end if the text fits, keep colors, leave the text on the screen
    plain = os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
    pydoc.pager(text if plain else color(text))


def color(text: str) -> str:
    """Color failures red and breaks yellow, and print headings in bold."""
    for form, foreground in _COLORS.items():
        text = re.sub(form, lambda match, fg=foreground: typer.style(match[0], fg=fg, bold=fg is None), text)  # type: ignore[misc]
    return text


def stop(message: str, status: int = 2) -> NoReturn:
    """End the command with an error that the reader can correct."""
    typer.echo(f"error: {message}", err=True)
    raise typer.Exit(status) from None

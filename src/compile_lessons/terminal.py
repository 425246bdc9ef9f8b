"""Print a long text as people expect: in a terminal in color and through a pager, plain into a pipe or a file."""

from __future__ import annotations

import os

import typer
from rich.console import Console
from rich.text import Text


def write(text: str) -> None:
    """Print ``text``; in a terminal with headings in color, and through ``PAGER`` if it is longer than the screen.

    ``NO_COLOR`` takes away the colors, not the pager. Lines wider than the screen are not cut.
    """
    console = Console()
    if not console.is_terminal:
        typer.echo(text)
        return
    shown = Text(text) if console.no_color else color(text)
    if text.count("\n") + 2 < console.height:  # the prompt takes a line, too
        console.print(shown, soft_wrap=True)
        return
    os.environ.setdefault("LESS", "FRX")  # as git does: less shows colors, and leaves the text on the screen
    with console.pager(styles=True):
        console.print(shown, soft_wrap=True)


def color(text: str) -> Text:
    """Failures in red, breaks and what is missing in yellow, headings of stages and tables in bold."""
    colored = Text(text)
    colored.highlight_regex(r"(?m)^(.*failed: |different from).*$", "red")
    colored.highlight_regex(r"(?m)^(break:|skipped|not compiled|not compared|no ).*$", "yellow")
    colored.highlight_regex(r"(?m)^(frame|resume function|\w+ graph,|Inductor,).*$", "bold")
    colored.highlight_regex(r"(?m)^.*(?=\n-[- ]*$)", "bold")
    return colored

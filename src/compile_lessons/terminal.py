"""Print as people expect: in a terminal in color and through a pager, plain into a pipe or a file."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import typer
from rich.console import Console
from rich.control import Control
from rich.segment import ControlType
from rich.text import Text


@contextmanager
def status(text: str) -> Iterator[None]:
    """While something lasts, show ``text`` where standard error is a terminal.

    Rich's own status would catch what the reader's function prints meanwhile; here it is printed as ever.
    """
    console = Console(stderr=True)
    if not sys.stderr.isatty() or console.is_dumb_terminal:
        yield
        return
    console.print(text, end=" ")
    try:
        yield
    finally:
        console.control(Control(ControlType.CARRIAGE_RETURN, (ControlType.ERASE_IN_LINE, 2)))


def write(text: str) -> None:
    """Print ``text``; in a terminal with headings in color, and through a pager if it is longer than the screen.

    The pager is chosen as git does: ``PAGER``, or less where there is one; none if it is empty or ``cat``. ``NO_COLOR``
    takes away the colors, not the pager. Lines wider than the screen are not cut.
    """
    console = Console()
    if not console.is_terminal:
        typer.echo(text)
        return
    with console.capture() as capture:
        console.print(Text(text) if console.no_color else color(text), soft_wrap=True)
    shown = capture.get()
    fits = text.count("\n") + 2 < console.height  # the prompt takes a line, too
    if fits or console.is_dumb_terminal or not sys.stdout.isatty() or not _page(shown):
        print(shown, end="", flush=True)


def _page(text: str) -> bool:
    """Show ``text`` in the pager; False if there is none, or if it failed and so may have shown nothing."""
    pager = os.environ.get("PAGER", "less" if shutil.which("less") else "")
    if pager in ("", "cat"):
        return False
    environment = {"LESS": "FRX"} | dict(os.environ)  # less shows colors, and leaves the text on the screen
    try:
        process = subprocess.Popen(pager, shell=True, stdin=subprocess.PIPE, env=environment, encoding="utf-8")
    except OSError:
        return False
    try:
        with process.stdin as pipe:
            pipe.write(text)
    except (OSError, KeyboardInterrupt):
        pass  # the reader has seen enough; the pager still has the terminal
    while True:
        try:
            return not 0 < process.wait() < 128  # beyond are the signals, an interrupt for one
        except KeyboardInterrupt:
            pass  # meant for the pager


def color(text: str) -> Text:
    """Failures in red, breaks and what is missing in yellow, headings of stages and tables in bold."""
    colored = Text(text)
    colored.highlight_regex(r"(?m)^(.*failed: |different from).*$", "red")
    colored.highlight_regex(r"(?m)^(break:|skipped|not compiled|not compared|no ).*$", "yellow")
    colored.highlight_regex(r"(?m)^(frame|resume function|\w+ graph,|Inductor,).*$", "bold")
    colored.highlight_regex(r"(?m)^.*(?=\n-[- ]*$)", "bold")
    return colored

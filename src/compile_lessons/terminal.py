"""Print as people expect: in a terminal in color and through a pager, plain into a pipe or a file."""

from __future__ import annotations

import io
import math
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TextIO

import typer
from rich.cells import cell_len
from rich.console import Console
from rich.text import Text


@contextmanager
def own_streams() -> Iterator[TextIO | None]:
    """Put standard output and error back after the reader's code, which may replace them; gives standard error."""
    own = sys.stdout, sys.stderr
    try:
        yield sys.stderr
    finally:
        sys.stdout, sys.stderr = own


def take_output() -> int:
    """A descriptor of standard output for this command alone, until the process ends.

    What the reader's code writes there goes to standard error, also from a child process, from C or at exit.
    """
    target = os.open(os.devnull, os.O_WRONLY) if sys.stderr is None else 2  # first: it may get the closed 2
    sys.stdout.flush()
    taken = os.dup(1)
    os.dup2(target, 1)
    sys.stdout = sys.stderr
    return taken


def note(text: str, stream: TextIO | None) -> None:
    """A line for who waits at a terminal. It stays: to erase it would erase what the reader's code prints after it."""
    if stream is not None and stream.isatty():
        print(text, file=stream, flush=True)


def write(text: str) -> None:
    """Print ``text``; in a terminal with headings in color, and through a pager if it is longer than the screen.

    The pager is chosen as git does: ``PAGER``, or less where there is one; none if it is empty or ``cat``. ``NO_COLOR``
    takes away the colors, not the pager. Lines wider than the screen are not cut.
    """
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")  # for what its encoding lacks
    console = Console()
    if not console.is_terminal:
        typer.echo(text)
        return
    with console.capture() as capture:
        console.print(Text(text) if console.no_color else color(text), soft_wrap=True)
    shown = capture.get()
    rows = sum(max(1, math.ceil(cell_len(line) / console.width)) for line in text.split("\n"))
    fits = rows + 1 < console.height  # the prompt takes a line, too
    if fits or console.is_dumb_terminal or not sys.stdout.isatty() or not _page(shown):
        print(shown, end="", flush=True)


def _page(text: str) -> bool:
    """Show ``text`` in the pager; False if there is none, or if it failed and so may have shown nothing."""
    pager = os.environ.get("PAGER", "less" if shutil.which("less") else "")
    if pager.strip() in ("", "cat"):
        return False
    environment = {"LESS": "FRX"} | dict(os.environ)  # less shows colors, and leaves the text on the screen
    try:
        process = subprocess.Popen(pager, shell=True, stdin=subprocess.PIPE, env=environment)
    except OSError:
        return False
    try:
        with process.stdin as pipe:
            pipe.write(text.encode("utf-8", "backslashreplace"))
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

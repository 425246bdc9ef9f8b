"""Show an object as richly as the place allows: text in a terminal, HTML in a notebook or on a page."""

from __future__ import annotations

import ctypes
import json
import os
import sys
from typing import Any

#: Set by the runner: the file that rich forms are appended to, one JSON object a line.
RESULTS_FILE = "COMPILE_LESSONS_RESULTS"

#: Marks where a rich result begins and ends in the captured bytes. ASCII "record separator": no text contains it.
MARK = "\x1e"


def show(obj: Any) -> None:
    """Print ``obj``; where HTML can be shown, show its HTML form instead.

    Any object with ``_repr_mimebundle_`` or ``_repr_html_`` (the protocol of IPython's rich display) has a rich
    form; for any other object this is ``print``. In a terminal the text form, ``str(obj)``, is printed.
    """
    if (
        "IPython" in sys.modules
        and (shell := sys.modules["IPython"].get_ipython()) is not None
        and shell.has_trait("kernel")
    ):
        sys.modules["IPython"].display.display(obj)
        return
    results, data = os.environ.get(RESULTS_FILE), mime_bundle(obj)
    if not results or not data:
        print(obj)
        return
    flush()
    with open(results, "a", encoding="utf-8") as file:
        file.write(json.dumps(data) + "\n")
    print(end=MARK)
    print(obj)
    print(end=MARK)
    flush()


def mime_bundle(obj: Any) -> dict[str, str]:
    """The rich forms of ``obj`` by MIME type; empty if it has none."""
    if hasattr(obj, "_repr_mimebundle_"):
        return {mime: text for mime, text in obj._repr_mimebundle_().items() if mime != "text/plain"}
    if hasattr(obj, "_repr_html_"):
        return {"text/html": obj._repr_html_()}
    return {}


def flush() -> None:
    """Flush Python's and the C library's buffers, so that output keeps its order."""
    sys.stdout.flush()
    sys.stderr.flush()
    if os.name == "posix":
        ctypes.CDLL(None).fflush(None)

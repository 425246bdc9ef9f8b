"""Show an object as richly as the place allows: text in a terminal, HTML in a notebook or on a page."""

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
    """Return the rich forms of ``obj`` by MIME type, as text; empty if it has none.

    A table or a chart gives its data, which ``show.recorded`` draws. Anything else is asked as IPython does it.
    """
    if isinstance(obj, type):  # a class has the methods of its objects, but is none of them
        return {}
    if hasattr(obj, "MIME"):
        return {obj.MIME: obj.to_json()}
    forms: Any = None
    if hasattr(obj, "_repr_mimebundle_"):
        forms = obj._repr_mimebundle_(include=None, exclude=None)
        forms = forms[0] if isinstance(forms, tuple) else forms
    elif hasattr(obj, "_repr_html_"):
        forms = {"text/html": obj._repr_html_()}
    return {mime: text for mime, text in (forms or {}).items() if mime != "text/plain" and isinstance(text, str)}


def flush() -> None:
    """Flush Python's and the C library's buffers, so that output keeps its order."""
    sys.stdout.flush()
    sys.stderr.flush()
    if os.name == "posix":
        ctypes.CDLL(None).fflush(None)

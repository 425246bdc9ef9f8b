"""Print texts that have parts by others: messages of exceptions, names of files, lines of source, traces.

Such a part could move the cursor, hide or reorder text, or set the title of the terminal. So all commands print by
``say``, or print what ``printable`` returns; ``tests/test_prints.py`` forbids other ways.
"""

import re
import sys

#: Control characters but for tabs and ends of lines, and what changes the direction of text.
_CONTROL = re.compile("[\0-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")


def printable(text: str) -> str:
    r"""Return ``text`` with its control characters as JSON has them, such as ``\u001b``. Tabs and lines stay."""
    return _CONTROL.sub(lambda character: f"\\u{ord(character[0]):04x}", text)


def say(text: str, *, error: bool = False) -> None:
    """Print ``text`` and the end of a line, to standard error if ``error``, with escapes for what an encoding lacks."""
    stream = sys.stderr if error else sys.stdout
    encoding = getattr(stream, "encoding", None) or "utf-8"  # the stream may be one of the user's program
    print(printable(text).encode(encoding, "backslashreplace").decode(encoding), file=stream)

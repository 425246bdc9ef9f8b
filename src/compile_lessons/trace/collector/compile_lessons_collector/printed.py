"""What the program prints, for a comparison with its second run."""

import sys

from .files import LONGEST, guarded, write

_MOST = 2000  # lines

_rest = ""
_left = _MOST


def watch():
    """Note each line that is printed from now on. The program's own stream prints it."""
    original = sys.stdout.write

    def noting(text):
        result = original(text)
        guarded(_note, text)
        return result

    sys.stdout.write = noting


def _note(text):
    global _rest, _left
    *lines, _rest = (_rest + text).split("\n")
    for line in lines[:_left]:
        write("printed", text=line.rpartition("\r")[2][:LONGEST])
    _left = max(0, _left - len(lines))

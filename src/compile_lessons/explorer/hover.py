"""What an instruction of Python's bytecode and an ATen operator do, in a few words that a browser shows on hover.

``hover.toml`` holds the words.
"""

import functools
import re
from html import escape

from compile_lessons.explorer.document import asset

_OPCODE = re.compile(r"^[A-Z][A-Z_]+\b")
_ATEN = re.compile(r"\baten\.(\w+)(\.\w+)?")


def explained(pane: str, html: str) -> str:
    """Return a line of a pane, whose names of instructions or operators say on hover what they do."""
    if pane == "bytecode":
        return _OPCODE.sub(lambda match: _titled(match[0], _words()["opcodes"].get(match[0])), html)
    return _ATEN.sub(lambda match: _titled(match[0], _words()["aten"].get(match[1].removesuffix("_"))), html)


def _titled(name: str, words: str | None) -> str:
    return f'<i title="{escape(words)}">{name}</i>' if words else name


@functools.cache
def _words() -> dict[str, dict[str, str]]:
    import tomllib  # not where the package is imported

    return tomllib.loads(asset("hover.toml"))

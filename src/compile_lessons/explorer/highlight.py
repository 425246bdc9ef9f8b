"""Lines of code as HTML: everything escaped, with the few token classes that the page's CSS colors."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pygments.token import _TokenType


@functools.cache
def _classes() -> tuple[tuple[_TokenType, str], ...]:
    """Return kinds of tokens and their classes. The first one that holds a token is its class."""
    from pygments.token import Comment, Keyword, Name, Number, String  # only where a page is written

    return (
        (Comment.Preproc, "k"),
        (Comment, "c"),
        (Keyword, "k"),
        (String, "s"),
        (Number, "m"),
        (Name.Function, "f"),
        (Name.Class, "f"),
        (Name.Decorator, "f"),
        (Name.Builtin, "f"),
    )


def highlighted(lexer: str, lines: Sequence[str]) -> list[str]:
    """Return each line as HTML. ``lexer`` is Pygments' name of the language; empty for none."""
    html = _colored(lexer, "\n".join(lines)) if lexer else []
    # A lexer may take other characters than "\n" for the end of a line.
    return html if len(html) == len(lines) else [escape(line) for line in lines]


def _colored(lexer: str, text: str) -> list[str]:
    from pygments.lexers import get_lexer_by_name

    html = [""]
    for token, value in get_lexer_by_name(lexer, stripnl=False, ensurenl=False).get_tokens(text):
        name = _class(token)
        for number, piece in enumerate(value.split("\n")):
            if number:
                html.append("")
            if piece:
                html[-1] += f"<i class={name}>{escape(piece)}</i>" if name else escape(piece)
    return html


@functools.cache
def _class(token: _TokenType) -> str:
    return next((name for kind, name in _classes() if token in kind), "")

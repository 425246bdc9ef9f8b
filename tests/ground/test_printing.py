"""Texts of others as they are printed."""

import io
import sys

import pytest

from compile_lessons.ground.colors import in_color, red, use_colors
from compile_lessons.ground.printing import printable, say
from compile_lessons.ground.words import file_line


@pytest.mark.parametrize(
    ("text", "printed"),
    [
        ("\x1b[2J", r"\u001b[2J"),
        ("\x1b]0;title\x07", r"\u001b]0;title\u0007"),
        ("\x9b2J\x9d0;title\x9c", r"\u009b2J\u009d0;title\u009c"),
        ("done\rfailed\b", r"done\u000dfailed\u0008"),
        ("user\u202etxt.exe\u2066\u200f", r"user\u202etxt.exe\u2066\u200f"),
        ("\x7f\x00\x0b", r"\u007f\u0000\u000b"),
        ("\tif x:\n\t\treturn 'é 文 …'", "\tif x:\n\t\treturn 'é 文 …'"),
    ],
)
def test_what_moves_the_cursor_or_reorders_text_is_escaped(text: str, printed: str) -> None:
    assert printable(text) == printed
    assert printable(printed) == printed


def test_say_escapes_what_an_encoding_lacks(monkeypatch: pytest.MonkeyPatch) -> None:
    data = io.BytesIO()
    monkeypatch.setattr(sys, "stderr", io.TextIOWrapper(data, encoding="ascii", write_through=True))
    say("né\udcff \x1b[1m", error=True)
    assert data.getvalue() == rb"n\xe9\udcff \u001b[1m" + b"\n"


def test_only_this_package_colors_a_text() -> None:
    use_colors(True)
    try:
        assert in_color(printable(red("failed: \x1b[32mno, passed"))) == "\x1b[31mfailed: \\u001b[32mno, passed\x1b[0m"
    finally:
        use_colors(False)


def test_the_name_of_a_file_is_in_one_line() -> None:
    assert file_line("/work/a\nb.py", 3) == r"a\nb.py:3"

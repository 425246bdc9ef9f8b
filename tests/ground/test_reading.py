"""What isn't a program or JSON is told by one exception, with its line."""

import ast
import io
import os
from pathlib import Path

import pytest

from compile_lessons.ground.errors import ProjectError
from compile_lessons.ground.reading import bounded_lines, open_regular, parse, read_json, read_text

#: Sources, and the line and part of the message of what ``parse`` raises.
WRONG: dict[str, tuple[str | bytes, int, str]] = {
    "null in text": ("x = 1\ny = '\0'\n", 2, "can't contain a null character"),
    "null in bytes": (b"x = 1\r\n\0\r\n", 2, "can't contain a null character"),
    "a few thousand signs": ("x = " + "-" * 5_000 + "1", 1, "nested too deeply for Python"),
    "many more": ("x = " + "-" * 50_000 + "1", 1, "nested too deeply for Python"),
    "brackets": ("\nx = " + "(" * 300 + ")" * 300, 2, "too many nested parentheses"),
    "comment in another encoding": (b"x = 1\n\n# caf\xe9\n", 3, "byte 0xe9 is not UTF-8: save the file as UTF-8"),
    "first line in another encoding": (b"# caf\xe9\n", 1, "byte 0xe9 is not UTF-8"),
    "UTF-16": ("x = 1".encode("utf-16"), 1, "byte 0xff is not UTF-8"),
    "wrong declaration": (b"# -*- coding: ascii -*-\nx = '\xc3\xa9'\n", 2, "byte 0xc3 is not ASCII"),
    "unknown declaration": (b"# -*- coding: nosuch -*-\n", 1, "unknown encoding: nosuch"),
    "no program": ("x = 1\nif x\n", 2, "expected ':'"),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_is_no_program(name: str) -> None:
    source, line, message = WRONG[name]
    with pytest.raises(SyntaxError, match=message) as raised:
        parse(source, "a.py")
    assert (raised.value.filename, raised.value.lineno) == ("a.py", line)


@pytest.mark.parametrize("source", [b"# -*- coding: latin-1 -*-\nx = '\xe9'", b"\xef\xbb\xbfx = '\xc3\xa9'", "x = 'é'"])
def test_a_program_in_the_encoding_that_it_declares(source: bytes | str) -> None:
    assert ast.unparse(parse(source)) == "x = 'é'"


@pytest.mark.parametrize("text", ["", "{", "[" * 100_000, b"\xff", '{"a": ' * 100_000])
def test_what_is_no_json(text: str | bytes) -> None:
    with pytest.raises(ValueError):
        read_json(text)


def test_text_that_cannot_be_read(tmp_path: Path) -> None:
    (tmp_path / "latin").write_bytes(b"one\ncaf\xe9\n")
    with pytest.raises(ProjectError, match=r"latin:2: not UTF-8 .* Fix: save it as UTF-8"):
        read_text(tmp_path / "latin")
    with pytest.raises(ProjectError, match="can't be read: Is a directory"):
        read_text(tmp_path)


@pytest.mark.parametrize(
    ("data", "lines"),
    [
        (b"", []),
        (b"abc\nde", [(b"abc\n", True), (b"de", True)]),
        (b"abcd\ne\n", [(b"abcd", False), (b"e\n", True)]),
        (b"abcdefghijk\ne", [(b"abcd", False), (b"e", True)]),
        (b"abcdefgh", [(b"abcd", False)]),
    ],
)
def test_lines_are_cut_at_a_length(data: bytes, lines: list[tuple[bytes, bool]]) -> None:
    assert list(bounded_lines(io.BytesIO(data), 4)) == lines


def test_only_regular_files_of_a_size_are_opened(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("four")
    (tmp_path / "link").symlink_to("file")
    with open_regular(tmp_path / "link", 4) as file:
        assert file.read() == b"four"
    os.mkfifo(tmp_path / "fifo")
    for path, message in [
        (tmp_path / "file", "Larger than 3 bytes"),
        (tmp_path / "fifo", "Not a regular file"),
        (tmp_path, "Not a regular file"),
        (Path("/dev/zero"), "Not a regular file"),
        (tmp_path / "nowhere", "No such file"),
        ("a\0b", "null"),
        ("\ud800", "surrogates not allowed"),
    ]:
        with pytest.raises(OSError, match=message):
            open_regular(path, 3)

"""Read what others have written: text, programs and JSON, in any encoding, damaged, or nested without end."""

import ast
import errno
import io
import json
import os
import stat
import tokenize
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO, Literal, overload

from compile_lessons.ground.errors import ProjectError
from compile_lessons.ground.words import shorten

#: Python's parser and the one for JSON give up in these ways; which one depends on the version.
_TOO_DEEP = (RecursionError, MemoryError)
_LONGEST = 80  # characters of a line in an error


def read_text(path: Path) -> str:
    """Return the text of a file of the project. Raises ``ProjectError`` for a folder, bytes that aren't UTF-8, …."""
    try:
        return path.read_text(encoding="utf-8")
    except OSError as error:
        raise ProjectError(f"{path} can't be read: {error.strerror}") from None
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise ProjectError(f"{path}:{line}: not UTF-8 ({error.reason}). Fix: save it as UTF-8") from None


def open_regular(path: str | Path, largest: int) -> BinaryIO:
    """Open a regular file of at most ``largest`` bytes. Raises ``OSError``, also for a FIFO or a device, which may
    have no end, and may let a reader wait."""
    try:
        about = os.stat(path)
    except ValueError as error:  # a null character, or half of a surrogate pair
        raise OSError(errno.EINVAL, str(error)) from None
    if not stat.S_ISREG(about.st_mode):
        raise OSError(errno.EINVAL, "Not a regular file")
    if about.st_size > largest:
        raise OSError(errno.EFBIG, f"Larger than {largest:,} bytes")
    return open(path, "rb")


def bounded_lines(file: BinaryIO, longest: int) -> Iterator[tuple[bytes, bool]]:
    """Yield each line, and whether it is whole. Of a line that is longer, the beginning, and pass over the rest."""
    while line := file.readline(longest):
        rest = line
        while len(rest) == longest and not rest.endswith(b"\n"):
            rest = file.readline(longest)
        yield line, rest is line


def read_json(data: str | bytes) -> Any:
    """``json.loads``, which raises ``ValueError`` for JSON that is nested too deeply, too."""
    try:
        return json.loads(data)
    except _TOO_DEEP:
        raise ValueError("this JSON is nested too deeply") from None


@overload
def parse(source: str | bytes, name: str = ..., mode: Literal["exec"] = ...) -> ast.Module: ...
@overload
def parse(source: str | bytes, name: str = ..., *, mode: Literal["eval"]) -> ast.Expression: ...
def parse(source: str | bytes, name: str = "<unknown>", mode: Literal["exec", "eval"] = "exec") -> ast.AST:
    """``ast.parse``, which raises ``SyntaxError`` with a line for whatever isn't a program, as ``python FILE`` does.

    ``ast.parse`` raises others for null characters and for code that is nested too deeply, and takes bytes that aren't
    in the encoding of the file where they stand in a comment.
    """
    text = _decoded(source, name) if isinstance(source, bytes) else source
    if "\0" in text:
        raise _error("Python code can't contain a null character", name, text, text.index("\0"))
    try:
        return ast.parse(text, name, mode)
    except _TOO_DEEP:
        raise _error("this is nested too deeply for Python", name, text, 0) from None


def dotted_names(tree: ast.AST) -> set[str]:
    """Return the dotted names in a program, those of imports with their modules, and the names of functions."""
    names = set[str]()
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute | ast.Name):
            names.add(ast.unparse(node))
        elif isinstance(node, ast.ImportFrom):
            names.update(f"{node.module}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        elif isinstance(node, ast.FunctionDef):
            names.add(node.name)
    return names


def _decoded(source: bytes, name: str) -> str:
    """Return the text of a program. Raises ``SyntaxError`` for bytes that aren't in the encoding that it declares."""
    try:
        encoding, _ = tokenize.detect_encoding(io.BytesIO(source).readline)
    except SyntaxError as error:
        if not isinstance(error.__context__, UnicodeDecodeError):  # the declaration names no encoding
            raise _error(str(error), name, source.decode(errors="replace"), 0) from None
        encoding = "utf-8"  # it has none: the first two lines are not even UTF-8
    try:
        return source.decode(encoding)
    except UnicodeDecodeError as error:
        fix = "save the file as UTF-8, or declare its encoding in the first line"
        message = f"byte 0x{source[error.start]:02x} is not {encoding.removesuffix('-sig').upper()}: {fix}"
        before = source[: error.start].decode(encoding)
        raise _error(message, name, source.decode(encoding, errors="replace"), len(before)) from None


def _error(message: str, name: str, text: str, place: int) -> SyntaxError:
    """Return an error at a place in a text, with its line."""
    number = text.count("\n", 0, place)
    line = text.split("\n")[number]
    return SyntaxError(message, (name, number + 1, None, shorten(line, _LONGEST)))

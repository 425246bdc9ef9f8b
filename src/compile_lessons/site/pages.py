"""Read the pages: which snippets and values they embed, and where. Works on the Markdown, without building it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from compile_lessons.project import Project

_FENCE = re.compile(r"^\s*(?P<mark>`{3,}|~{3,})\s*(?P<info>[^`]*)$")
_EXECUTED = re.compile(r"\bexec=")
_VALUE = re.compile(r"`#!value\s+(?P<call>[^`]+)`")
_TYPED_OUTPUT = re.compile(r"^\{?\s*\.?(text|console|pytb|output|log|pycon)\b")


@dataclass(frozen=True)
class Embed:
    """One use of a snippet on a page: a block (``snippet(...)`` with its options) or a value in a sentence, ``value``
    with the format it may have (``ratio:.1f``)."""

    page: str
    line: int
    name: str
    options: dict[str, Any] = field(default_factory=dict)
    value: str | None = None

    @property
    def place(self) -> str:
        return f"{self.page}:{self.line}"


@dataclass(frozen=True)
class Problem:
    """Something that must not be published: where it is and what it is."""

    place: str
    message: str

    def __str__(self) -> str:
        return f"{self.place}: {self.message}"


def read_pages(project: Project) -> tuple[list[Embed], list[Problem]]:
    """Every embed of every page under ``docs/``, and every block that is not understood."""
    embeds: list[Embed] = []
    problems: list[Problem] = []
    for path in sorted(project.docs.rglob("*.md")):
        for item in _read_page(path, path.relative_to(project.root).as_posix()):
            (embeds if isinstance(item, Embed) else problems).append(item)
    return embeds, problems


def _read_page(path: Path, page: str) -> Iterator[Embed | Problem]:
    fence, info, body, start = "", "", [], 0
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        match = _FENCE.match(line)
        if not fence and match:
            fence, info, body, start = match["mark"], match["info"].strip(), [], number
        elif fence and match and match["mark"].startswith(fence) and not match["info"].strip():
            yield from _block(info, body, page, start)
            fence = ""
        elif fence:
            body.append(line)
        else:
            yield from _values(line, page, number)


def _block(info: str, body: list[str], page: str, line: int) -> Iterator[Embed | Problem]:
    if not _EXECUTED.search(info):
        if _TYPED_OUTPUT.match(info):
            yield Problem(f"{page}:{line}", f"a '{info}' block is typed output: embed the snippet that prints it")
        return
    try:
        yield _embed("\n".join(body).strip(), page, line)
    except (SyntaxError, ValueError):
        yield Problem(f"{page}:{line}", 'an executed block holds one line: snippet("folder/name.py", option=value)')


def _embed(call: str, page: str, line: int) -> Embed:
    node = ast.parse(call, mode="eval").body
    if not (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id == "snippet"
        and len(node.args) == 1
    ):
        raise ValueError(call)
    options = {keyword.arg: ast.literal_eval(keyword.value) for keyword in node.keywords if keyword.arg}
    return Embed(page, line, str(ast.literal_eval(node.args[0])), options)


def _values(text: str, page: str, line: int) -> Iterator[Embed | Problem]:
    for match in _VALUE.finditer(text):
        name, _, value = match["call"].strip().partition(":")
        yield Embed(page, line, name, value=value)

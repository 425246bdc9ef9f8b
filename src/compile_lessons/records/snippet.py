"""A snippet: a Python file of the course, and what it declares about its run."""

from __future__ import annotations

import ast
import re
import shlex
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from compile_lessons.project import Project, ProjectError

NEEDS = ("compiler", "gpu", "triton")
_KEYS = {"needs", "raises", "varies", "env", "data", "timeout", "memory", "caches"}
_BLOCK = re.compile(r"\A# /// lesson\n((?:#(?: .*)?\n)*?)# ///\n")
_REGION = re.compile(r"^\s*# (?:region (?P<name>\S+)|(?P<end>endregion)(?: \S+)?)\s*$")


class SnippetError(ProjectError):
    """A snippet that cannot be run or shown as it stands; the message names file, line and remedy."""


@dataclass(frozen=True)
class Expected:
    """The exception a snippet must end with: its type (``Unsupported``, or with its module) and part of its message."""

    type: str
    message: str = ""


@dataclass(frozen=True)
class Snippet:
    """A snippet as written. ``first_line`` is the number of the first line of ``code`` in the file."""

    name: str
    path: Path
    code: str
    first_line: int
    needs: tuple[str, ...] = ()
    raises: Expected | None = None
    varying_output: tuple[str, ...] = ()
    varying_values: tuple[str, ...] = ()
    env: dict[str, str] = field(default_factory=dict)
    data: tuple[Path, ...] = ()
    timeout: float = 120.0
    memory_mib: int = 4096
    keeps_caches: bool = False

    @property
    def title(self) -> str:
        """The first line of the docstring without its full stop; the name of a snippet that has none."""
        try:
            docstring = ast.get_docstring(ast.parse(self.code))
        except SyntaxError:  # its run will say so
            docstring = None
        return docstring.splitlines()[0].rstrip(".") if docstring else self.name

    @property
    def command(self) -> str:
        """What a reader types, in the project's root, to run it."""
        variables = "".join(f"{name}={shlex.quote(value)} " for name, value in self.env.items())
        return f"{variables}python snippets/{self.name}"

    def region(self, name: str | None) -> tuple[str, int]:
        """The lines of a region without their common indent, and the number of the first; the whole code for ``None``.

        Raises ``SnippetError`` if there is no such region.
        """
        if name is None:
            return self.code, self.first_line
        lines, start, depth, found = self.code.splitlines(), None, 0, []
        for number, line in enumerate(lines):
            if not (match := _REGION.match(line)):
                continue
            if match["name"]:
                found.append(match["name"])
            if match["name"] == name:
                start, depth = number + 1, 1
            elif start is not None:
                depth += 1 if match["name"] else -1  # regions may hold others
                if depth == 0:
                    return _dedent(lines[start:number]), self.first_line + start
        known = f"it has {', '.join(found)}" if found else "it has none"
        open_ended = start is not None
        what = f"region {name!r} is never closed with '# endregion'" if open_ended else f"no region {name!r}; {known}"
        raise SnippetError(f"snippets/{self.name}: {what}")

    def checks(self) -> tuple[str, int] | None:
        """The region ``checks`` at the end of the code and the number of its first line; ``None`` if there is none.

        Raises ``SnippetError`` if code follows it: a page shows the program without it.
        """
        if not re.search(r"^# region checks$", self.code, re.M):
            return None
        code, first = self.region("checks")
        after = self.code.splitlines()[first - self.first_line + code.count("\n") + 1 :]
        if "".join(after).strip():
            raise SnippetError(f"snippets/{self.name}: code follows the region 'checks': move the region to the end")
        return code, first

    def program(self) -> str:
        """The code without the region ``checks``."""
        checks = self.checks()
        if checks is None:
            return self.code
        lines = self.code.splitlines()[: checks[1] - 1 - self.first_line]
        return "\n".join(lines).rstrip() + "\n"


def load(project: Project, name: str) -> Snippet:
    """Read ``snippets/<name>``.

    Raises ``SnippetError`` for a missing file, bytes that are not UTF-8, or a declaration that is not understood.
    A syntax error of the Python code is left to the run, which reports it as Python does.
    """
    path = project.snippets / name
    try:
        source = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise SnippetError(f"snippets/{name}: no such file{_similar(project, name)}") from None
    except OSError as error:  # a folder, or a file one may not read
        raise SnippetError(f"snippets/{name}: cannot be read: {error.strerror}") from None
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise SnippetError(f"snippets/{name}:{line}: not UTF-8 ({error.reason}): save it as UTF-8") from None
    block = _BLOCK.match(source)
    if block is None and source.startswith("# /// lesson"):
        raise SnippetError(f"snippets/{name}:1: the '# /// lesson' block is not closed with a line '# ///'")
    declared = _declarations(name, block[1]) if block else {}
    code = source[block.end() :] if block else source
    return Snippet(
        name=name,
        path=path,
        code=code,
        first_line=1 + (block[0].count("\n") if block else 0),
        **_checked(name, path, declared),
    )


def _declarations(name: str, block: str) -> dict[str, Any]:
    # The empty line stands for "# /// lesson": so the lines of an error are those of the file.
    toml = "\n" + "".join(line[2:] if line.startswith("# ") else line[1:] for line in block.splitlines(keepends=True))
    try:
        return tomllib.loads(toml)
    except tomllib.TOMLDecodeError as error:
        raise SnippetError(f"snippets/{name}: its '# /// lesson' block is not TOML: {error}") from None


def _checked(name: str, path: Path, declared: dict[str, Any]) -> dict[str, Any]:
    """The declarations as fields of ``Snippet``; each wrong one is an error that says what is allowed."""

    def need(condition: bool, message: str) -> None:
        if not condition:
            raise SnippetError(f"snippets/{name}: {message}")

    unknown = sorted(set(declared) - _KEYS)
    need(not unknown, f"unknown key {', '.join(unknown)} in its lesson block; known are {', '.join(sorted(_KEYS))}")
    needs = declared.get("needs", [])
    need(_strings(needs) and set(needs) <= set(NEEDS), f"needs = {needs!r}: a list of {', '.join(NEEDS)}")
    raises = declared.get("raises")
    need(
        raises is None
        or (isinstance(raises, dict) and {"type"} <= set(raises) <= {"type", "message"} and _strings(raises.values())),
        f"raises = {raises!r}: a table with type and, if wanted, message",
    )
    varies = declared.get("varies", {})
    need(
        isinstance(varies, dict) and set(varies) <= {"output", "values"} and all(map(_strings, varies.values())),
        f"varies = {varies!r}: a table with output, values, each a list of strings",
    )
    for pattern in varies.get("output", []):
        try:
            re.compile(pattern)
        except re.error as error:
            need(False, f"varies.output: {pattern!r} is not a regular expression: {error}")
    env = declared.get("env", {})
    need(isinstance(env, dict) and _strings(env.values()), f"env = {env!r}: a table of strings")
    files = declared.get("data", [])
    need(_strings(files), f"data = {files!r}: a list of files")
    data = [path.parent / item for item in files]
    for item in data:
        need(item.is_file(), f"its declared data {item.relative_to(path.parent).as_posix()} is missing")
    for key in ("timeout", "memory"):
        value = declared.get(key, 1)
        need(type(value) in (int, float) and value > 0, f"{key} = {value!r}: a positive number")
    need(declared.get("caches", "keep") == "keep", 'caches: "keep" is the only setting; without it they start empty')
    fields: dict[str, Any] = {
        "needs": tuple(needs),
        "raises": Expected(**raises) if raises else None,
        "varying_output": tuple(varies.get("output", [])),
        "varying_values": tuple(varies.get("values", [])),
        "env": env,
        "data": tuple(data),
        "keeps_caches": "caches" in declared,
    }
    if "timeout" in declared:
        fields["timeout"] = float(declared["timeout"])
    if "memory" in declared:
        fields["memory_mib"] = int(declared["memory"])
    return fields


def _strings(items: Any) -> bool:
    return not isinstance(items, (str, dict)) and isinstance(items, Iterable) and all(isinstance(i, str) for i in items)


def _dedent(lines: list[str]) -> str:
    indent = min((len(line) - len(line.lstrip()) for line in lines if line.strip()), default=0)
    return "\n".join(line[indent:] for line in lines) + "\n"


def _similar(project: Project, name: str) -> str:
    import difflib

    close = difflib.get_close_matches(name, project.snippet_names(), n=1)
    return f"; did you mean {close[0]}?" if close else ""

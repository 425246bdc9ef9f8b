"""A snippet: a Python file of the course, and what it declares about its run."""

import ast
import difflib
import re
import shlex
import textwrap
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

import msgspec

from compile_lessons.ground.project import Project, ProjectError
from compile_lessons.ground.reading import parse

#: What a build is not expected to have, and where it is.
RECORDED_ON = {"gpu": "a machine with a GPU", "peers": "a machine with the extra 'peers'"}
#: The region at the end of a snippet that holds its asserts; a page folds it.
CHECKS = "checks"

# "# /// lesson\n# timeout = 5\n# ///\n" at the beginning of a file; the group is "# timeout = 5\n".
_BLOCK = re.compile(r"\A# /// lesson\n((?:#(?: .*)?\n)*?)# ///\n")
# "    # region body\n    return x\n    # endregion"; end is None where another region, or nothing, follows.
_REGION = re.compile(
    r"^[ \t]*# region (?P<name>\S+)\n"
    r"(?P<code>(?:(?![ \t]*# (?:region \S+|endregion)$).*\n)*)"  # lines that mark no region
    r"(?P<end>[ \t]*# endregion$)?",
    re.M,
)


class SnippetError(ProjectError):
    """A snippet that cannot be run or shown as it stands; the message names file, line and remedy."""


class Expected(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The exception a snippet must end with: its type (``Unsupported``, or with its module) and part of its message."""

    type: str
    message: str = ""


class Varies(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What may differ between runs: regular expressions for the output, and names of values."""

    output: tuple[str, ...] = ()
    values: tuple[str, ...] = ()


class Declared(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The keys of the lesson block. ``timeout`` is in seconds, of processor time and, apart from that, of waiting
    without any; ``memory`` is in MiB of resident memory.

    ``gpus`` is how many GPUs a snippet that needs one uses. ``fork`` is false for a snippet that sets environment
    variables before it imports torch: its run is a fresh interpreter.
    """

    needs: tuple[Literal["compiler", "gpu", "peers", "triton"], ...] = ()
    raises: Expected | None = None
    varies: Varies = Varies()
    env: dict[str, str] = {}
    data: tuple[str, ...] = ()
    timeout: Annotated[float, msgspec.Meta(gt=0)] = 120.0
    memory: Annotated[int, msgspec.Meta(gt=0)] = 4096
    gpus: Annotated[int, msgspec.Meta(ge=1)] = 1
    fork: bool = True


@dataclass(frozen=True)
class Checks:
    """The region ``checks`` of a snippet: its code, the number of its first line, and how many checks are in it."""

    code: str
    first_line: int
    statements: int


@dataclass(frozen=True)
class Snippet:
    """A snippet as written. ``first_line`` is the number of the first line of ``code`` in the file."""

    name: str
    path: Path
    code: str
    first_line: int
    declared: Declared

    @property
    def title(self) -> str:
        """The first line of the docstring without its full stop; the name of a snippet that has none."""
        docstring = ast.get_docstring(_parse(self.code))
        return docstring.splitlines()[0].rstrip(".") if docstring else self.name

    @property
    def command(self) -> str:
        """What a reader types, in the project's root, to run it."""
        variables = "".join(f"{name}={shlex.quote(value)} " for name, value in self.declared.env.items())
        return f"{variables}python snippets/{self.name}"

    @property
    def recorded(self) -> bool:
        """Whether its record is a recording: made on a machine that has what the snippet needs, and committed."""
        return not RECORDED_ON.keys().isdisjoint(self.declared.needs)

    def region(self, name: str) -> tuple[str, int]:
        """Return the lines of a region without their common indent, and the number of the first one in the file.

        Raises ``SnippetError`` if there is no such region.
        """
        regions = self._regions()
        if name not in regions:
            names = f"it has {', '.join(regions)}" if regions else "it has none"
            raise SnippetError(f"snippets/{self.name}: no region {name!r}; {names}")
        if regions[name]["end"] is None:
            raise SnippetError(f"snippets/{self.name}: region {name!r} is never closed with '# endregion'")
        start = regions[name].start("code")
        return textwrap.dedent(regions[name]["code"]), self.first_line + self.code[:start].count("\n")

    def program(self) -> str:
        """Return the code without the region ``checks`` at its end. Raises ``SnippetError`` if code follows it."""
        region = self._regions().get(CHECKS)
        if region is None:
            return self.code
        _, first = self.region(CHECKS)
        if self.code[region.end() :].strip():
            after = f"snippets/{self.name}:{first - 1}: code follows the region '{CHECKS}'. Fix: move it to the end"
            raise SnippetError(after)
        return self.code[: region.start()].rstrip() + "\n"

    def checks(self) -> Checks | None:
        """Return the region ``checks`` at the end of the code; ``None`` if it has none."""
        if CHECKS not in self._regions():
            return None
        code, first = self.region(CHECKS)
        return Checks(code, first, sum(map(_is_check, ast.walk(_parse(code)))))

    def _regions(self) -> dict[str, re.Match[str]]:
        return {region["name"]: region for region in _REGION.finditer(self.code)}


def load_snippet(project: Project, name: str) -> Snippet:
    """Read ``snippets/<name>``.

    Raises ``SnippetError`` for a missing file, bytes that are not UTF-8, a declaration that is not understood, or code
    after the region ``checks``. A syntax error of the Python code is left to the run, which reports it as Python does.
    """
    path = project.snippets / name
    try:
        source = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        close = difflib.get_close_matches(name, project.snippet_names(), n=1)
        meant = f"; did you mean {close[0]}?" if close else ""
        raise SnippetError(f"snippets/{name}: no such file{meant}") from None
    except OSError as error:  # a folder, or a file one may not read
        raise SnippetError(f"snippets/{name}: cannot be read: {error.strerror}") from None
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise SnippetError(f"snippets/{name}:{line}: not UTF-8 ({error.reason}). Fix: save it as UTF-8") from None
    block = _BLOCK.match(source)
    if block is None and source.startswith("# /// lesson"):
        raise SnippetError(f"snippets/{name}:1: the '# /// lesson' block is not closed with a line '# ///'")
    code = source[block.end() :] if block else source
    first_line = 1 + (block[0].count("\n") if block else 0)
    declared = _declared(name, block[1] if block else "")
    for file in declared.data:
        if not (path.parent / file).is_file():
            raise SnippetError(f"snippets/{name}: its declared data {file} is missing")
    snippet = Snippet(name, path, code, first_line, declared)
    snippet.program()  # a region "checks" in the wrong place is an error wherever the snippet is used
    return snippet


def lesson_block(source: str) -> str:
    """Return the lines between ``# /// lesson`` and ``# ///`` at the beginning of a file; nothing if it has none."""
    block = _BLOCK.match(source)
    return block[1] if block else ""


def _declared(name: str, block: str) -> Declared:
    """Read the TOML of a lesson block, whose lines are comments."""
    # The empty line stands for "# /// lesson": so the lines of an error are those of the file.
    toml = "\n" + "".join(line[2:] if line.startswith("# ") else line[1:] for line in block.splitlines(keepends=True))
    try:
        declared = msgspec.convert(tomllib.loads(toml), Declared)
        for pattern in declared.varies.output:
            re.compile(pattern)
    except tomllib.TOMLDecodeError as error:
        raise SnippetError(f"snippets/{name}: its '# /// lesson' block is not TOML: {error}") from None
    except msgspec.ValidationError as error:
        keys = ", ".join(sorted(Declared.__struct_fields__))
        raise SnippetError(f"snippets/{name}: its '# /// lesson' block: {error}. Its keys are {keys}") from None
    except re.error as error:
        message = f"varies.output: {error.pattern!r} is not a regular expression: {error}"
        raise SnippetError(f"snippets/{name}: {message}") from None
    return declared


def _parse(code: str) -> ast.Module:
    try:
        return parse(code)
    except SyntaxError:  # its run says so
        return ast.Module(body=[], type_ignores=[])


def _is_check(node: ast.AST) -> bool:
    """Whether a node is an ``assert``, or calls something like ``torch.testing.assert_close``."""
    if isinstance(node, ast.Call):
        return isinstance(node.func, ast.Attribute) and node.func.attr.startswith("assert_")
    return isinstance(node, ast.Assert)

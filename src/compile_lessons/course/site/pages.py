"""Read the pages: which snippets and values they embed, and where. Works on the Markdown, without building it.

The built page reads an embed with the same functions, ``parse_embed`` and ``parse_value``.
"""

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, Literal

import msgspec

from compile_lessons.findings.catalogue import catalogue
from compile_lessons.ground.project import Project, ProjectError
from compile_lessons.ground.reading import parse, read_text

# '```python exec="1"\nsnippet("a.py")\n```\n', maybe indented; mark is "```", info 'python exec="1"'
FENCED = r"^[ \t]*(?P<mark>`{3,}|~{3,})(?P<info>[^`\n]*)\n(?P<body>(?:.*\n)*?)[ \t]*(?P=mark)[`~]*[ \t]*(?:\n|\Z)"
# 'python exec="1"'
EXECUTED = re.compile(r"\bexec=")
# "`#!value dynamo/guards.py:ratio:.1f`"; call is "dynamo/guards.py:ratio:.1f".
VALUE = r"`#!value\s+(?P<call>[^`]+)`"
_USE = re.compile(f"{FENCED}|{VALUE}", re.M)
# "text", "{.text}", 'console title="x"'
_TYPED_OUTPUT = re.compile(r"^\{?\s*\.?(text|console|pytb|output|log|pycon)\b")

_USAGE = 'an executed block holds one line: snippet("folder/name.py", option=value)'


class EmbedError(ProjectError):
    """An embed that is not understood; the message says what it may look like."""


@dataclass(frozen=True)
class Embed:
    """A snippet on a page, ``snippet("dynamo/guards.py", show="tabs")``: the arguments of that line are these fields.

    ``region`` names a part of the source; ``highlight`` lists lines as numbered in the file (``"3 5-7"``);
    ``collapsed`` folds the output; ``lines`` shows that part of it; ``mark`` highlights its lines that contain this
    text; ``language`` gives it the colors of that language.
    """

    name: str
    show: Literal["both", "source", "output", "tabs"] = "both"
    region: str | None = None
    highlight: str = ""
    collapsed: bool = False
    lines: str | None = None
    mark: str | None = None
    language: Literal["python", "cpp", "llvm", "ptx", "gas", "pytb", "json"] | None = None

    @property
    def anchor(self) -> str:
        """The id of the output on its page: ``dynamo/guards.py`` is ``dynamo-guards``."""
        return re.sub(r"\W+", "-", f"{self.name.removesuffix('.py')} {self.lines or ''}").strip("-")


@dataclass(frozen=True)
class LabPart:
    """The hints of a lab, or its key question with the answer: ``lab("shapes", "hints")``."""

    slug: str
    part: Literal["hints", "question"]


@dataclass(frozen=True)
class InlineValue:
    """A value in a sentence, ``dynamo/guards.py:ratio:.1f``: snippet, name and format."""

    name: str
    value: str
    spec: str = ""


@dataclass(frozen=True)
class Use:
    """What is shown at a line of a page."""

    page: str
    line: int
    what: Embed | InlineValue

    @property
    def name(self) -> str:
        """The snippet, as a path below ``snippets/``."""
        return self.what.name

    @property
    def place(self) -> str:
        return f"{self.page}:{self.line}"


@dataclass(frozen=True)
class PageProblem:
    """Something that must not be published: where it is and what it is."""

    place: str
    message: str

    def __str__(self) -> str:
        return f"{self.place}: {self.message}"


def parse_embed(line: str) -> Embed:
    """Read the line of an executed block. Raises ``EmbedError`` for anything but ``snippet("name.py", …)``."""
    try:
        (name,), arguments = _call(line, "snippet")
    except (SyntaxError, ValueError):
        raise EmbedError(_USAGE) from None
    arguments["name"] = name
    options = [field.name for field in fields(Embed)]
    if unknown := [name for name in arguments if name not in options]:
        raise EmbedError(f"snippet() has no option {', '.join(unknown)}; it has {', '.join(sorted(options[1:]))}")
    try:
        return msgspec.convert(arguments, Embed)
    except msgspec.ValidationError as error:  # "Invalid enum value 'all' - at `$.show`"
        raise EmbedError(f"snippet({arguments['name']!r}): {error}".replace("`$.", "`")) from None


def parse_lab(line: str) -> LabPart | None:
    """Read ``lab("shapes", "hints")``; ``None`` for a line that is no call of ``lab``. Raises ``EmbedError``."""
    if not line.strip().startswith("lab("):
        return None
    try:
        (slug, part), options = _call(line, "lab")
        if options:
            raise ValueError("lab() has no options")
        return msgspec.convert({"slug": slug, "part": part}, LabPart)
    except (SyntaxError, ValueError):  # msgspec's ValidationError is a ValueError
        raise EmbedError('a lab\'s block holds lab("folder", "hints") or lab("folder", "question")') from None


def parse_catalogue(line: str) -> str | None:
    """Read ``catalogue("messages")``: the table's name; ``None`` for another line. Raises ``EmbedError``."""
    if not line.strip().startswith("catalogue("):
        return None
    try:
        (table,), options = _call(line, "catalogue")
    except (SyntaxError, ValueError):
        table, options = None, {}
    if options or table not in catalogue().tables:
        tables = ", ".join(f'catalogue("{name}")' for name in catalogue().tables)
        raise EmbedError(f"a table of the catalogue is one of {tables}")
    return str(table)


def _call(line: str, name: str) -> tuple[list[Any], dict[str, Any]]:
    """Return the arguments and the keywords of a line that calls ``name`` with literals.

    Raises ``SyntaxError`` or ``ValueError`` for any other line.
    """
    call = parse(line.strip(), mode="eval").body
    if not (isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == name):
        raise ValueError(f"no call of {name}")
    keywords = {keyword.arg or "**": ast.literal_eval(keyword.value) for keyword in call.keywords}
    return [ast.literal_eval(argument) for argument in call.args], keywords


def parse_value(call: str) -> InlineValue:
    """Read ``dynamo/guards.py:ratio:.1f``."""
    name, _, rest = call.strip().partition(":")
    value, _, spec = rest.partition(":")
    return InlineValue(name, value, spec)


def read_pages(project: Project) -> tuple[list[Use], list[PageProblem]]:
    """Return every embed and value of every page under ``docs/``, and every block that is not understood."""
    items = [
        item
        for path in sorted(filter(Path.is_file, project.docs.rglob("*.md")))
        for item in read_page(read_text(path), path.relative_to(project.root).as_posix())
    ]
    return [item for item in items if isinstance(item, Use)], [item for item in items if isinstance(item, PageProblem)]


def read_page(text: str, page: str) -> Iterator[Use | PageProblem]:
    """Return what a page embeds, and every block that is not understood."""
    for match in _USE.finditer(text):
        line = text.count("\n", 0, match.start()) + 1
        if match["call"]:
            yield Use(page, line, parse_value(match["call"]))
        else:
            yield from _block(match["info"].strip(), match["body"], page, line)


def _block(info: str, body: str, page: str, line: int) -> Iterator[Use | PageProblem]:
    if EXECUTED.search(info):
        try:
            if parse_lab(body) is None and parse_catalogue(body) is None:
                yield Use(page, line, parse_embed(body))
        except EmbedError as error:
            yield PageProblem(f"{page}:{line}", str(error))
    elif _TYPED_OUTPUT.match(info):
        yield PageProblem(f"{page}:{line}", f"a '{info}' block is typed output. Fix: embed the snippet that prints it")

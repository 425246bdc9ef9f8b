"""A lab as it stands in the course: its facts, its stub, its solution and its checks. Reading one needs no torch."""

import ast
import difflib
import functools
import re
import tomllib
from pathlib import Path
from typing import Literal

import msgspec

from compile_lessons.ground.project import ProjectError

#: What the labs teach, in order.
TRACKS = ("first steps", "fix it", "build it")
#: Tell the process of a check where the learner's file is, and the checks of its lab.
FILE_VARIABLE, CHECKS_VARIABLE = "COMPILE_LESSONS_FILE", "COMPILE_LESSONS_CHECKS"
#: Tell it which file takes its reports, and which has the secret that a report on a right answer ends with; it forgets
#: the variables and the names before the learner's code runs.
REPORT_VARIABLE, SECRET_VARIABLE = "COMPILE_LESSONS_REPORT", "COMPILE_LESSONS_SECRET"

#: The labs of *One evening* in their order, each with the lesson after it.
EVENING = {
    "three_breaks": "dynamo/guards",
    "stop_the_recompiles": "pipeline/backends",
    "backends_compared": "aot/joint-graph",
}

# "# /// lesson\n# data = [\"checks.py\"]\n# ///\n" at the beginning of a stub or a solution
_BLOCK = re.compile(r"\A# /// lesson\n(?:#(?: .*)?\n)*?# ///\n")


class LabError(ProjectError):
    """A lab or a file that isn't there; the message names it and the remedy."""


class Facts(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The keys of ``lab.toml``. ``lessons`` are pages such as ``dynamo/guards``; ``timeout`` is in seconds, ``memory``
    in MiB; ``hints`` are read one after the other; ``env`` are environment variables, set before torch and
    triton are imported."""

    title: str
    number: int
    track: Literal["first steps", "fix it", "build it"]
    minutes: int
    needs: tuple[Literal["compiler", "triton"], ...] = ()
    lessons: tuple[str, ...]
    hints: tuple[str, ...]
    question: str
    answer: str
    env: dict[str, str] = {}
    timeout: float = 60.0
    memory: int = 4096


class Lab:
    """One folder of ``snippets/labs``."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.slug = folder.name
        self.facts = msgspec.convert(tomllib.loads((folder / "lab.toml").read_text(encoding="utf-8")), Facts)

    @property
    def checks(self) -> Path:
        return self.folder / "checks.py"

    @property
    def stub(self) -> str:
        """The file that the learner starts with."""
        return _code(self.folder / "stub.py")

    @property
    def solution(self) -> str:
        return _code(self.folder / "solution.py")

    @property
    def page(self) -> str:
        """The lab's page below ``docs/``, without its suffix."""
        return f"labs/{self.slug.replace('_', '-')}"

    @property
    def heading(self) -> str:
        return f"Lab {self.facts.number}, {self.facts.title}"

    @functools.cached_property
    def titles(self) -> dict[str, str]:
        """What each check looks at, by the name of its function: the first line of its docstring."""
        nodes = ast.parse(self.checks.read_text(encoding="utf-8")).body
        functions = [node for node in nodes if isinstance(node, ast.FunctionDef) and node.name.startswith("check_")]
        return {node.name: (ast.get_docstring(node) or node.name).splitlines()[0] for node in functions}

    def is_untouched(self, source: str) -> bool:
        """Whether a file says the same as the stub, comments and the file's docstring apart."""
        try:
            return _meaning(source) == _meaning(self.stub)
        except RecursionError:  # nothing in a stub is nested that deeply
            return False


def labs() -> list[Lab]:
    """Return every lab, in the order of the course."""
    checkout = Path(__file__).parents[3] / "snippets" / "labs"
    course = checkout if checkout.is_dir() else Path(__file__).parent / "course"  # where the wheel has them
    return sorted((Lab(path.parent) for path in course.glob("*/lab.toml")), key=lambda lab: lab.facts.number)


def labs_from(slug: str | None) -> list[Lab]:
    """Return every lab, in the order to do them from one on: first what is left of *One evening*, if it is of that."""
    every = {lab.slug: lab for lab in labs()}
    numbered, evening = list(every), list(EVENING)
    at = numbered.index(slug) if slug in every else 0
    path = evening[evening.index(slug) :] if slug in EVENING else []
    return [every[name] for name in dict.fromkeys([*path, *numbered[at:], *numbered[:at]])]


def find_lab(name: str) -> Lab:
    """Return the lab of that number or slug. Raises ``LabError`` if there is none."""
    every = labs()
    for lab in every:
        if name in (str(lab.facts.number), lab.slug, lab.slug.replace("_", "-")):
            return lab
    close = difflib.get_close_matches(name, [lab.slug for lab in every], n=1)
    hint = f"did you mean {close[0]}?" if close else f"there are {len(every)}"
    raise LabError(f"no lab {name!r}; {hint}. 'compile-lessons lab list' shows them all")


def next_lab(lab: Lab) -> Lab | None:
    """Return the lab after this one."""
    return next((other for other in labs() if other.facts.number > lab.facts.number), None)


def holes(source: str) -> set[str]:
    """Return the functions, classes and variables at the top of a file that still hold a ``...`` to be replaced."""
    return {name for node in ast.parse(source).body if any(map(_is_hole, ast.walk(node))) for name in _defined(node)}


def _code(path: Path) -> str:
    return _BLOCK.sub("", path.read_text(encoding="utf-8"))


def _meaning(source: str) -> str:
    tree = ast.parse(source)
    if ast.get_docstring(tree) is not None:
        del tree.body[0]
    return ast.dump(tree)


def _is_hole(node: ast.AST) -> bool:
    """Whether a node is ``...``, ``name = ...``, ``return ...`` or ``{"key": ...}``; an index ``x[..., 0]`` is none."""
    values: list[ast.expr | None] = []
    if isinstance(node, ast.Expr | ast.Assign | ast.AnnAssign | ast.Return):
        values = [node.value]
    elif isinstance(node, ast.Dict):
        values = [*node.values]
    return any(isinstance(value, ast.Constant) and value.value is ... for value in values)


def _defined(node: ast.stmt) -> list[str]:
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        return [node.name]
    targets = node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
    return [target.id for target in targets if isinstance(target, ast.Name)]

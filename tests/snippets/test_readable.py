"""Programs that readers see are easy to read: the rules of CONTRIBUTING.md for which ruff has none.

Readers don't see the checks of a lab.
"""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from compile_lessons.course.records.snippet import load_snippet
from compile_lessons.course.site.pages import Embed, read_pages
from compile_lessons.ground.project import Project

PROJECT = Project(Path(__file__).parents[2])
PROGRAMS = [path for path in sorted(PROJECT.snippets.rglob("*.py")) if path.name != "checks.py"]
#: Lines that a page shows, without blank lines, imports and the title.
MOST_LINES = 25
#: Methods and functions that are called for their side effect.
CHANGES = {"add", "append", "clear", "extend", "insert", "pop", "print", "remove", "setattr", "update", "__setitem__"}
#: Names that torch documents, although they look private. Any other needs a comment: "private", or "no public".
DOCUMENTED = (
    *("torch._check", "torch._dynamo.config", "torch._functorch.config", "torch._inductor.config"),
    *("torch._dynamo.exc", "torch._dynamo.explain", "torch._dynamo.graph_break", "torch._dynamo.error_on_graph_break"),
    *("torch._dynamo.mark_dynamic", "torch._dynamo.maybe_mark_dynamic", "torch._dynamo.mark_static"),
    "torch._logging",
    *("torch._dynamo.mark_unbacked", "torch._dynamo.nonstrict_trace", "torch._dynamo.decorators.mark_unbacked"),
)
#: Programs whose subject is how to write a backend, or when torch calls one.
WRITE_A_BACKEND = {
    "aot/by_hand/backend.py",
    "aot/by_hand/function.py",
    "aot/by_hand/no_guards.py",
    "aot/decompositions/five_operators.py",
    "aot/decompositions/five_operators_fix.py",
    "aot/decompositions/own.py",
    "build/first.py",
    "build/passes_in_short.py",
    "labs/backend_pass/solution.py",
    "labs/backend_pass/stub.py",
    "pipeline/backends/own.py",
    "pipeline/backends/returns_nothing.py",
    "pipeline/stances/backward.py",
    "production/piecewise/order.py",
    "reference/corrections/is_compiling.py",
    "reference/corrections/register_backend.py",
    "reference/corrections/suppress.py",
}
#: Parameters of a function that is a backend.
OF_A_BACKEND = ({"gm", "graph", "graph_module", "module"}, {"example_inputs", "inputs"})


def violations(code: str) -> list[str]:
    """Return what is hard to read in a program, each with its line."""
    tree = ast.parse(code)
    found = [*_assignments(tree), *_expressions(tree), *_backends(tree), *_private_names(tree, code.splitlines())]
    return [f"{line}: {message}" for line, message in sorted(set(found))]


def _assignments(tree: ast.AST) -> Iterator[tuple[int, str]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.NamedExpr):
            yield node.lineno, "an assignment inside an expression"
        if isinstance(node, ast.Assign) and (
            len(node.targets) > 1 or (isinstance(node.targets[0], ast.Tuple) and isinstance(node.value, ast.Tuple))
        ):
            yield node.lineno, "several names in one assignment"


def _expressions(tree: ast.AST) -> Iterator[tuple[int, str]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and not isinstance(
            node.value, ast.Call | ast.Constant | ast.Await | ast.Yield | ast.YieldFrom
        ):
            yield node.lineno, "an expression as a statement"
        computes = isinstance(node, ast.BoolOp | ast.Lambda | ast.IfExp | ast.ListComp | ast.DictComp | ast.SetComp)
        if computes and any(_changes(part) for part in ast.walk(node)):
            yield node.lineno, "an expression that changes something"
        if isinstance(node, ast.BoolOp) and isinstance(node.op, ast.Or) and len(node.values) > 2:
            yield node.lineno, "a chain of or"


def _changes(node: ast.AST) -> bool:
    if not isinstance(node, ast.Call):
        return False
    name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
    return name in CHANGES and not ast.unparse(node.func).startswith("torch.")


def _backends(tree: ast.AST) -> Iterator[tuple[int, str]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.Lambda):
            names = [argument.arg for argument in node.args.args]
            if len(names) == 2 and all(name in kind for name, kind in zip(names, OF_A_BACKEND, strict=True)):
                yield node.lineno, "a backend of its own: import keep_graphs"


def _private_names(tree: ast.AST, lines: list[str]) -> Iterator[tuple[int, str]]:
    for node in ast.walk(tree):
        names = []
        if isinstance(node, ast.ImportFrom):
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        elif isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load):
            names = [ast.unparse(node)]
        for name in names:
            # "torch._dynamo" begins every longer name; "torch.__file__" is no private name
            private = name.startswith("torch._") and not name.startswith("torch.__") and "(" not in name
            private = private and name not in ("torch._dynamo", "torch._functorch", "torch._inductor")
            near = " ".join(lines[max(0, node.lineno - 2) : node.lineno])
            said = "#" in near and ("private" in near or "no public" in near)
            if private and not said and not name.startswith(DOCUMENTED):
                yield node.lineno, f"{name} is private to torch: use a public name, or say in a comment why not"


def test_programs_are_easy_to_read() -> None:
    assert [f"{path}:{message}" for path in PROGRAMS for message in _violations(path)] == []


def test_pages_show_few_lines_of_a_program() -> None:
    shown = _embeds()
    long = {str(path): lines for path in PROGRAMS if (lines := _most_lines(path, shown)) > MOST_LINES}
    assert not long, "split each by what it teaches"


def _violations(path: Path) -> list[str]:
    found = violations(path.read_text(encoding="utf-8"))
    if path.relative_to(PROJECT.snippets).as_posix() in WRITE_A_BACKEND:
        return [message for message in found if "a backend of its own" not in message]
    return found


def _most_lines(path: Path, shown: dict[str, list[Embed]]) -> int:
    """Return the lines of the longest listing of a program on a page; 0 for none, and in a lab, where a learner works
    in the file, from its first line to its last."""
    name = path.relative_to(PROJECT.snippets).as_posix()
    listings = [embed for embed in shown.get(name, []) if embed.show != "output" and not name.startswith("labs/")]
    snippet = load_snippet(PROJECT, name) if listings else None
    codes = [snippet.region(embed.region)[0] if embed.region else snippet.program() for embed in listings if snippet]
    return max(map(lines_to_read, codes), default=0)


def _embeds() -> dict[str, list[Embed]]:
    """Return the embeds of all pages, by snippet."""
    embeds: dict[str, list[Embed]] = {}
    for use in read_pages(PROJECT)[0]:
        if isinstance(use.what, Embed):
            embeds.setdefault(use.name, []).append(use.what)
    return embeds


def lines_to_read(code: str) -> int:
    """Count the lines of a program without blank lines, imports and the title."""
    tree = ast.parse(code)
    skipped = [node for node in tree.body if isinstance(node, ast.Import | ast.ImportFrom)]
    if ast.get_docstring(tree) is not None:
        skipped.append(tree.body[0])
    not_read = {line for node in skipped for line in range(node.lineno, (node.end_lineno or 0) + 1)}
    lines = enumerate(code.splitlines(), 1)
    return sum(bool(line.strip()) and number not in not_read for number, line in lines)


@pytest.mark.parametrize(
    ("code", "message"),
    [
        ("x, model = torch.ones(4), Model()", "1: several names in one assignment"),
        ("first = second = []", "1: several names in one assignment"),
        ("while (line := next(lines)):\n    print(line)", "1: an assignment inside an expression"),
        ("runs.append(1) or graph.forward(x)", "1: an expression that changes something"),
        ("prepare = [lambda n: setattr(model, 'n', n)]", "1: an expression that changes something"),
        ("print(1) if verbose else None", "1: an expression as a statement"),
        ("[call(x) for x in inputs]", "1: an expression as a statement"),
        ("seen = a or b or c", "1: a chain of or"),
        (
            "def keep(graph_module, example_inputs): ...",
            "1: a backend of its own: import keep_graphs",
        ),
        ("torch.compile(f, backend=lambda gm, inputs: gm)", "1: a backend of its own: import keep_graphs"),
        (
            "from torch._dynamo.utils import counters",
            "1: torch._dynamo.utils.counters is private to torch: use a public name, or say in a comment why not",
        ),
    ],
)
def test_each_rule_finds_what_it_forbids(code: str, message: str) -> None:
    assert message in violations(code)

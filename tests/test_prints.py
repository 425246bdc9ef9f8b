"""Whatever the package prints goes through ``ground.printing``, which makes texts of others safe for a terminal."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[1] / "src" / "compile_lessons"

#: The modules that print by themselves, each with the reason.
PRINTS = {
    "ground/printing.py": "say",
    "__main__.py": "a text of its own, before anything can be imported",
    "course/__main__.py": "the same",
    "commands/terminal.py": "a pager, with what printable returns",
    "commands/lab.py": "rich, with what printable returns, or texts of labs",
    "labs/report.py": "rich, with what printable returns",
    "labs/watch.py": "rich, with what printable returns",
    "course/cli.py": "rich, with what printable returns",
    "show/__init__.py": "what the user's own program asks it to print",
    "runs/child.py": "what Python prints for the user's own SystemExit",
    "course/site/background.py": "data for another process of the course",
}
_PRINTING = {"typer.echo", "typer.secho", "click.echo", "pydoc.pager", "pydoc.pipepager"}
_STREAMS = ("sys.stdout.", "sys.stderr.", "sys.__stdout__.", "sys.__stderr__.")


def printing(source: str) -> Iterator[tuple[int, str]]:
    """Yield the calls that print, each with its line."""
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, ast.Call):
            continue
        name = ast.unparse(node.func)
        last = name.rpartition(".")[2]
        is_stream = name.startswith(_STREAMS) and last in ("write", "writelines")
        of_rich = last in ("print", "rule", "print_json") and isinstance(node.func, ast.Attribute)
        of_traceback = name in ("traceback.print_exc", "traceback.print_exception", "traceback.print_stack")
        if name == "print" or name in _PRINTING or is_stream or of_rich or of_traceback:
            yield node.lineno, name


@pytest.mark.parametrize(
    "source",
    [
        "print(x)",
        "typer.echo(x, err=True)",
        "sys.stderr.write(x)",
        "sys.stdout.buffer.write(x)",
        "Console().print(x)",
        "console.rule(x)",
        "traceback.print_exc()",
    ],
)
def test_what_counts_as_printing(source: str) -> None:
    assert list(printing(source))


def test_only_the_named_modules_print() -> None:
    found = {
        path.relative_to(PACKAGE).as_posix(): calls
        for path in sorted(PACKAGE.rglob("*.py"))
        if (calls := list(printing(path.read_text(encoding="utf-8")))) and "template" not in path.parts
    }
    others = [f"{name}:{line}: {call}" for name in found.keys() - PRINTS for line, call in found[name]]
    assert not others, "say prints a text, also one with parts by others:\n" + "\n".join(others)
    assert not PRINTS.keys() - found.keys()  # no module is named that doesn't print

"""The API pages document what readers import, and every public part of it has a docstring."""

import ast
import re
from pathlib import Path

import griffe
import pytest

import compile_lessons

ROOT = Path(__file__).parents[3]
PAGES = sorted((ROOT / "docs" / "reference" / "api").glob("*.md"))
DOCUMENTED = [path for page in PAGES for path in re.findall(r"^::: (\S+)$", page.read_text(encoding="utf-8"), re.M)]
#: Machinery of this repository, which lessons about it and the checks of labs import.
OWN = {"find_project", "catalogue", "cxx_compiler", "explain", "forms", "WORDS"} | {
    "Work",
    "Wrong",
    "check",
    "require",
    "session",
    *("app", "FIELDS", "SCHEMA"),  # of the page on diagnose
    *("cli", "pytest_plugin", "compile_lessons_collector"),  # what programs start by name, for their records' keys
}
#: The facts of a run that ``diagnose`` watched; its report is what readers get.
OF_A_RUN = {"run"}


@pytest.fixture(scope="module")
def package() -> griffe.Object:
    return griffe.load("compile_lessons", allow_inspection=False)


def test_what_readers_import_is_documented() -> None:
    names = {path.rpartition(".")[2] for path in DOCUMENTED}
    assert names >= set(compile_lessons.__all__)
    imported = set()
    for path in (ROOT / "snippets").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_bytes())):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("compile_lessons"):
                imported |= {alias.name for alias in node.names}
    assert imported - OWN <= names


def test_every_part_of_a_capture_is_documented(package: griffe.Object) -> None:
    modules = [item for name, item in package["facts"].members.items() if item.is_module and name not in OF_A_RUN]
    assert len(modules) > 5
    classes = {name for module in modules for name, item in module.members.items() if isinstance(item, griffe.Class)}
    assert {name for name in classes if not name.startswith("_")} <= {path.rpartition(".")[2] for path in DOCUMENTED}


@pytest.mark.parametrize("path", DOCUMENTED)
def test_it_has_a_docstring(package: griffe.Object, path: str) -> None:
    item = package[path.partition(".")[2]]
    item = item.final_target if item.is_alias else item
    assert not item.is_module, "griffe takes the module of that name: give the full path"
    assert item.docstring

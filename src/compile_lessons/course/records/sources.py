"""What a snippet's output depends on: its own source and every project module it imports, found without running it."""

import ast
import functools
import hashlib
import json
import os
import re
from dataclasses import asdict
from pathlib import Path
from typing import NamedTuple

from compile_lessons.course.records.snippet import Snippet, lesson_block
from compile_lessons.ground.project import Project
from compile_lessons.ground.reading import parse
from compile_lessons.runs.machine import Machine

_PACKAGE = Path(__file__).parents[2]

#: The package's modules that measure. A recording is out of date when one of them changes. The others only show what
#: was measured, so a recording outlives a change there.
MEASURING = ("compile_lessons/bench.py",)
#: Begins the hash of what a program runs; any other is the hash of a file's bytes.
_RUNS = "program "
#: How a program looks at its own text, where a new layout changes what it finds.
_OWN_TEXT = re.compile(r"import (inspect|linecache|tokenize)|getsource|lineno|__doc__|open\(__file__|__file__\)\.read")


def source_hashes(project: Project, snippet: Snippet) -> dict[str, str]:
    """Return the SHA-256 of the snippet, the project modules it imports (their imports too) and its data, by path.

    Paths are relative to the project; modules of ``compile_lessons`` are named from that folder on. Of these modules
    counts what they run, so that another comment in them runs no snippet again.
    """
    folder = snippet.path.parent
    files = {snippet.path, *(folder / file for file in snippet.declared.data)}
    todo, done = [_Import(snippet.path)], set[_Import]()
    while todo:
        item = todo.pop()
        if item not in done:
            done.add(item)
            files.add(item.path)
            if (data := item.path.with_suffix(".toml")).is_file():  # what the module reads
                files.add(data)
            todo.extend(_imports(item, folder, _stat(item.path), _stat(folder)))
    return {_display(project.root, path): _source_hash(path) for path in sorted(files)}


def for_a_recording(root: Path, sources: dict[str, str], text: str) -> dict[str, str]:
    """Return the hashes that a recording keeps: for a program below ``snippets/``, that of what it runs, so that a new
    layout of the program needs no run.

    The hash of its bytes stays where lines or their numbers may be in the recorded ``text``: for a program that the
    text names, and for all if one of them looks at its own text. It also stays if the file isn't what was hashed.
    """
    programs = [root / path for path in sources if path.startswith("snippets/") and path.endswith(".py")]
    if any(_OWN_TEXT.search(file.read_text(encoding="utf-8")) for file in programs):
        return sources
    kept = dict(sources)
    for file in programs:
        path = file.relative_to(root).as_posix()
        if file.name not in text and _hash(file, _stat(file)) == sources[path]:
            kept[path] = _program_hash(file, _stat(file))
    return kept


def is_current(root: Path, recorded: dict[str, str], sources: dict[str, str]) -> bool:
    """Whether what a recording depends on is as it was when it was made."""
    return measured_by(recorded) == _as_recorded(root, recorded, measured_by(sources))


def package_changed(recorded: dict[str, str], sources: dict[str, str]) -> bool:
    """Whether another of the package's modules has changed since a recording was made, which may outlive that."""
    return shown_by(recorded) != _as_recorded(_PACKAGE.parent, recorded, shown_by(sources))


def _as_recorded(root: Path, recorded: dict[str, str], sources: dict[str, str]) -> dict[str, str]:
    """Return the hashes of these files, each of the kind that the recording has: of what runs, or of the bytes."""
    hashes = dict(sources)
    for path, sha in sources.items():
        file = (_PACKAGE.parent if _is_package(path) else root) / path
        runs = recorded.get(path, sha).startswith(_RUNS)
        if runs != sha.startswith(_RUNS):
            hashes[path] = (_program_hash if runs else _hash)(file, _stat(file))
    return hashes


def measured_by(sources: dict[str, str]) -> dict[str, str]:
    """Return those hashes that a recording depends on: the snippet's files and the modules of ``MEASURING``."""
    return {path: sha for path, sha in sources.items() if path in MEASURING or not _is_package(path)}


def shown_by(sources: dict[str, str]) -> dict[str, str]:
    """Return the hashes of the package's other modules, which a recording may outlive."""
    return {path: sha for path, sha in sources.items() if path not in MEASURING and _is_package(path)}


def _is_package(path: str) -> bool:
    return path.startswith(f"{_PACKAGE.name}/")


def key(snippet: Snippet, hashes: dict[str, str], machine: Machine, schema: int) -> str:
    """Return the name of the snippet's record: everything its output may depend on, in one SHA-256."""
    parts = {
        "snippet": snippet.name,
        "sources": hashes,
        "machine": asdict(machine),
        "env": snippet.declared.env,
        "schema": schema,
    }
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()


def _source_hash(path: Path) -> str:
    of_package = path.suffix == ".py" and path.is_relative_to(_PACKAGE)
    return (_program_hash if of_package else _hash)(path, _stat(path))


@functools.lru_cache(maxsize=4096)
def _program_hash(path: Path, stat: tuple[int, int]) -> str:
    """Return a hash of what a program runs: its lesson block, and its syntax tree without positions and docstrings.

    Comments, line breaks, and how a string is split or quoted leave it the same. A file that doesn't parse has the hash
    of its bytes.
    """
    source = path.read_bytes()
    try:
        tree = parse(source)
    except SyntaxError:
        return hashlib.sha256(source).hexdigest()
    runs = [lesson_block(source.decode("utf-8", "replace")), _as_lists(tree)]
    return _RUNS + hashlib.sha256(json.dumps(runs).encode()).hexdigest()


def _as_lists(node: object) -> object:
    """Return a syntax tree without positions and docstrings. It is the same in each version of Python: they differ in
    fields that are empty."""
    if isinstance(node, list):
        return [_as_lists(item) for item in node]
    if not isinstance(node, ast.AST):
        return ascii(node)
    fields = {name: value for name, value in ast.iter_fields(node) if value not in (None, [])}
    if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) and ast.get_docstring(node):
        fields["body"] = node.body[1:]
    return [type(node).__name__, [[name, _as_lists(value)] for name, value in fields.items()]]


class _Import(NamedTuple):
    """A module's file and the one name imported from it (``None`` for the module as a whole)."""

    path: Path
    name: str | None = None


@functools.lru_cache(maxsize=2**15)  # of each module once for each folder of snippets: about 13,000
def _imports(item: _Import, folder: Path, stat: tuple[int, int], in_folder: tuple[int, int]) -> tuple[_Import, ...]:
    """The project modules that a module imports.

    Where a name is imported from a package's ``__init__``, the statement that binds the name counts there, and every
    ``import a.b``, whose effect is that the module runs: so ``from compile_lessons import show`` does not depend on
    everything the package offers. If the ``__init__`` defines the name itself, all of its imports count.

    ``stat`` is that of the module, and ``in_folder`` that of the folder, which changes when a helper comes or goes.
    """
    path, name = item
    imports: list[_Import] = []
    statements = _statements(path, stat)
    if path.name != "__init__.py" or name not in {
        alias.asname or alias.name for node in statements for alias in node.names
    }:
        name = None
    for node in statements:
        if isinstance(node, ast.Import):
            for alias in node.names:
                imports += _module(alias.name, folder)
            continue
        root = _PACKAGE.parent if path.is_relative_to(_PACKAGE) else folder
        package = path.relative_to(root).parent.parts
        above = package[: len(package) + 1 - node.level] if node.level else ()
        base = ".".join(filter(None, [*above, node.module]))
        for alias in node.names:
            if name in (None, alias.asname or alias.name):
                imports += _module(f"{base}.{alias.name}", folder) or _module(base, folder, alias.name)
    return tuple(imports)


@functools.lru_cache(maxsize=4096)
def _statements(path: Path, stat: tuple[int, int]) -> tuple[ast.Import | ast.ImportFrom, ...]:
    """Every import statement of a file, which is parsed once for all folders that import it."""
    try:
        tree = parse(path.read_bytes())
    except SyntaxError:  # its run will say so
        return ()
    return tuple(node for node in ast.walk(tree) if isinstance(node, ast.Import | ast.ImportFrom))


def _module(dotted: str, folder: Path, name: str | None = None) -> list[_Import]:
    """The file of a module of the package, or of one beside the snippet; nothing for any other module."""
    parts = dotted.split(".")
    root = _PACKAGE.parent if parts[0] == _PACKAGE.name else folder
    if root is folder and parts[0] not in _names(folder, folder.stat().st_mtime_ns):
        return []
    place = os.path.join(root, *parts)  # as text: there are tens of thousands
    module, package = f"{place}.py", os.path.join(place, "__init__.py")
    imports = [_Import(Path(module))] if os.path.isfile(module) else []
    return imports + ([_Import(Path(package), name)] if os.path.isfile(package) else [])


@functools.lru_cache(maxsize=1024)
def _names(folder: Path, modified: int) -> frozenset[str]:
    """The names of the modules and packages in a folder, and of its other files."""
    return frozenset(path.stem for path in folder.iterdir())


@functools.lru_cache(maxsize=4096)
def _display(project: Path, path: Path) -> str:
    for root in (_PACKAGE.parent, project):  # wherever the package is installed, the same name
        if path.is_relative_to(root):
            return path.relative_to(root).as_posix()
    return path.as_posix()


def _stat(path: Path) -> tuple[int, int]:
    stat = path.stat()
    return stat.st_mtime_ns, stat.st_size


@functools.lru_cache(maxsize=4096)
def _hash(path: Path, stat: tuple[int, int]) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()

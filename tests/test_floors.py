"""The rooms of the package stand on floors: no module imports from a higher one, not even inside a function."""

import ast
from collections.abc import Iterator
from pathlib import Path

PACKAGE = Path(__file__).parents[1] / "src" / "compile_lessons"

#: From the ground up. Rooms of one floor don't import each other.
FLOORS = (
    ("ground",),
    ("facts", "show"),
    ("findings", "trace"),
    ("explorer",),
    ("reports",),
    ("bench", "gpu"),
    ("pipeline",),
    ("api",),
    ("runs",),
    ("labs",),
    ("commands", "course"),
)
LEVEL = {room: level for level, rooms in enumerate(FLOORS) for room in rooms}


def room(module: str) -> str:
    """``compile_lessons.course.records.store`` is in the room ``records``; the package's own ``__init__`` in none."""
    return module.split(".")[1] if "." in module else ""


def imports() -> Iterator[tuple[str, str, str]]:
    """Every import of one room from another: both rooms, and the file and line."""
    for path in sorted(PACKAGE.rglob("*.py")):
        parts = path.relative_to(PACKAGE).with_suffix("").parts
        if parts in (("__init__",), ("__main__",)):
            continue  # the doors of the package, above all rooms
        if parts[:2] == ("course", "template"):
            continue  # a lesson, which imports the package as readers do
        if parts[:2] == ("trace", "collector"):
            continue  # in the user's process, where its name is another one
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom):
                assert not node.level, f"{path}:{node.lineno}: name the module from the package on"
                inside = [f"{node.module}.{alias.name}" for alias in node.names] if node.module == PACKAGE.name else []
                modules = inside or [node.module or ""]
            elif isinstance(node, ast.Import):
                modules = [alias.name for alias in node.names]
            else:
                continue
            for module in modules:
                if module.split(".")[0] == PACKAGE.name and room(module) != parts[0]:
                    yield parts[0], room(module), f"{path.relative_to(PACKAGE)}:{node.lineno} imports {module}"


def test_each_room_has_a_floor() -> None:
    rooms = {path.stem for path in PACKAGE.iterdir() if path.suffix == ".py" or (path / "__init__.py").exists()}
    assert rooms - {"__init__", "__main__"} == set(LEVEL)


def test_no_import_goes_up() -> None:
    seen = list(imports())
    assert len(seen) > 100
    up = [place for above, below, place in seen if LEVEL.get(below, len(FLOORS)) >= LEVEL[above]]
    assert not up, "\n" + "\n".join(up)

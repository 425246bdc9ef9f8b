"""What two torches do differently: from made-up records, and by the command."""

import json
from collections.abc import Callable
from dataclasses import replace
from hashlib import sha256

import pytest
from typer.testing import CliRunner

from compile_lessons.course.cli import app
from compile_lessons.course.records.plan import plan
from compile_lessons.course.records.record import Output, Record, SnippetFailure
from compile_lessons.course.records.snippet import load_snippet
from compile_lessons.course.records.store import Store
from compile_lessons.course.versions import (
    FOLDER,
    SnippetDifference,
    VersionComparison,
    compare_records,
    compare_versions,
    list_changes,
    read_nearest,
    write_comparison,
)
from compile_lessons.ground.project import Project, ProjectError
from projects import RECORD

SOURCE = """# /// lesson
# varies.output = ['\\d+ ms', '(?m)^ {10}.*']
# varies.values = ["took"]
# ///
graphs = 2
"""
Make = Callable[..., Project]


def record(project: Project, name: str, torch: str, text: str = "", **fields: object) -> Record:
    sources = plan(project, name).sources
    key = sha256(f"{name} {torch} {sources}".encode()).hexdigest()
    made = replace(RECORD, snippet=name, torch=torch, key=key, sources=sources, outputs=[Output(text)])
    return replace(made, **fields)  # type: ignore[arg-type]


@pytest.fixture
def project(make_project: Make) -> Project:
    return make_project({"snippets/a.py": SOURCE, "snippets/b.py": SOURCE, "docs/index.md": "# Home"})


def differ(project: Project, before: dict[str, object], after: dict[str, object]) -> SnippetDifference | None:
    old, new = record(project, "a.py", "2.13.0+cpu", **before), record(project, "a.py", "2.15.0+cu132", **after)  # type: ignore[arg-type]
    return compare_records(load_snippet(project, "a.py"), old, new, "index")


def test_values(project: Project) -> None:
    before: dict[str, object] = {"values": {"graphs": 2, "ratio": float("nan"), "took": 1.5, "gone": "x"}}
    after: dict[str, object] = {"values": {"graphs": 3, "ratio": float("nan"), "took": 2.5, "new": True}}
    difference = differ(project, before, after)
    assert difference is not None
    assert difference.values == {"graphs": (2, 3), "gone": ("x", None), "new": (None, True)}
    assert differ(project, before, before) is None


def test_output(project: Project) -> None:
    difference = differ(project, {"text": "same\nold\n12 ms\n"}, {"text": "same\nnew\n15 ms\n"})
    assert difference is not None
    assert (difference.lines, difference.output) == (2, ["-old", "+new"])


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("torch 2.13.0+cpu, 2.13.0", "torch 2.15.0+cu132, 2.15.0"),
        ("at torch/_dynamo/utils.py:12", "at torch/_dynamo/utils.py:1450"),
        ("in f (_dynamo/variables/tensor.py:9 in g)", "in f (_dynamo/variables/tensor.py:77 in g)"),
        (
            'Traceback:\n  File "…/site-packages/torch/a.py", line 3, in f\n    g()\n    ^^^\n  File "x.py", line 1\n',
            'Traceback:\n  File "…/site-packages/torch/b.py", line 9, in h\n    return k(3)\n  File "x.py", line 1\n',
        ),
        ("x = 1\n    ^^^^\n", "x = 1\n    ~~^^\n"),
        ("a  \nb", "a\nb"),
        ("a\n          7 calls", "a\n          8 calls"),
        ("took  7 ms", "took 12 ms"),
        ("W cpp_extension.py: No CUDA runtime is found, using CUDA_HOME='/usr'\nx", "x"),
    ],
)
def test_what_is_no_difference(project: Project, before: str, after: str) -> None:
    assert differ(project, {"text": before}, {"text": after}) is None


def test_a_failure_counts_with_what_came_before_it(project: Project) -> None:
    failure = SnippetFailure(message="raised AssertionError: assert graphs == 2", line=7)
    before: dict[str, object] = {"values": {"graphs": 2, "later": 1}, "text": "old\n"}
    difference = differ(project, before, {"values": {"graphs": 3}, "text": "new\n", "failure": failure})
    assert difference is not None
    assert difference.failure == failure.message and difference.line == 7
    assert difference.values == {"graphs": (2, 3)} and difference.lines == 0


def put(project: Project, folder: str, *records: Record) -> None:
    cache = Project(project.root)
    cache.cache = project.root / folder
    for item in records:
        Store(cache).put(item)


def compared(project: Project, **changed: int) -> VersionComparison:
    """Compare records of which those in ``changed`` have another value ``graphs``."""
    for torch, folder in (("2.13.0+cpu", "old"), ("2.15.0", "new")):
        values = {name: {"graphs": changed.get(name, 2) if folder == "new" else 2} for name in ("a", "b")}
        put(project, folder, *(record(project, f"{name}.py", torch, values=values[name]) for name in values))
    return compare_versions(project, project.root / "old", project.root / "new", {"a.py": "index"})


def test_folders_of_records(project: Project) -> None:
    comparison = compared(project, a=3)
    assert (comparison.torch, comparison.before, comparison.snippets) == ("2.15.0", "2.13.0+cpu", 2)
    assert comparison.values == 2 and comparison.missing == []
    assert list(comparison.differences) == ["a.py"] and comparison.differences["a.py"].page == "index"


def test_a_snippet_that_was_edited_since_is_missing(project: Project) -> None:
    compared(project)
    (project.snippets / "b.py").write_text(SOURCE + "more = 1\n")
    put(project, "old", record(project, "b.py", "2.13.0+cpu"))
    comparison = compare_versions(project, project.root / "old", project.root / "new", {})
    assert comparison.missing == ["b.py"] and comparison.snippets == 1
    assert list_changes(comparison, None) == ["- b.py: no record"]


def test_a_snippet_whose_data_was_edited_since_is_missing(project: Project) -> None:
    (project.snippets / "b.py").write_text('# /// lesson\n# data = ["b.json"]\n# ///\ngraphs = 2\n')
    (project.snippets / "b.json").write_text("1")
    assert compared(project).missing == []
    (project.snippets / "b.json").write_text("2")
    put(project, "old", record(project, "b.py", "2.13.0+cpu"))
    assert compare_versions(project, project.root / "old", project.root / "new", {}).missing == ["b.py"]


def test_a_folder_holds_one_version(project: Project) -> None:
    compared(project)
    put(project, "new", record(project, "a.py", "2.14.1", date="2026-12-01T00:00:00+00:00"))
    with pytest.raises(ProjectError, match=r"holds records of torch 2\.14\.1 and 2\.15\.0"):
        compare_versions(project, project.root / "old", project.root / "new", {})
    (project.root / "empty").mkdir()
    with pytest.raises(ProjectError, match="holds no record of a snippet as it is now"):
        compare_versions(project, project.root / "old", project.root / "empty", {})


def test_changes_less_those_committed(project: Project) -> None:
    committed = compared(project, a=3)
    assert list_changes(committed, None) == ["- a.py, graphs: 3, not 2"]
    assert list_changes(committed, committed) == []
    assert list_changes(compared(project, b=4), committed) == [
        "- a.py, graphs: as under torch 2.13.0+cpu again",
        "- b.py, graphs: 4, not 2",
    ]


def test_the_nearest_older_version_is_read(project: Project) -> None:
    (project.snippets / FOLDER).mkdir(parents=True)
    comparison = compared(project, a=3)
    path = write_comparison(project, comparison)
    assert path.name == "2.15.json" and json.loads(path.read_text())["differences"]["a.py"]["values"]
    assert read_nearest(project, "2.16.0.dev20261122+cpu") == comparison == read_nearest(project, "2.15.1")
    assert read_nearest(project, "2.9.1") is None


def test_command(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    compared(project, a=3)
    monkeypatch.chdir(project.root)
    result = CliRunner().invoke(app, ["versions", "old", "new"])
    assert result.exit_code == 0, result.output
    assert result.output.splitlines() == [
        "2 snippets under torch 2.15.0, compared with 2.13.0+cpu",
        "",
        "- a.py, graphs: 3, not 2",
    ]
    assert CliRunner().invoke(app, ["versions", "old", "nothing"]).exit_code == 2

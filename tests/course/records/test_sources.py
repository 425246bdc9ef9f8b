"""A key changes with everything the output may depend on, and with nothing else."""

import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from compile_lessons.course.records import plan as plans
from compile_lessons.course.records import sources
from compile_lessons.course.records.plan import plan
from compile_lessons.course.records.snippet import Declared, load_snippet
from compile_lessons.course.records.sources import source_hashes
from compile_lessons.ground.project import Project
from compile_lessons.runs.machine import this_machine

FILES = {
    "snippets/part/a.py": "import _helper\nfrom pkg.sub import thing\n\n\ndef f():\n    import _lazy\n",
    "snippets/part/_helper.py": "from _deeper import x\n",
    "snippets/part/_deeper.py": "import _helper\nx = 1\n",
    "snippets/part/_lazy.py": "",
    "snippets/part/_unused.py": "",
    "snippets/part/pkg/__init__.py": "from .other import y\nfrom pkg.sub import thing\n",
    "snippets/part/pkg/sub.py": "from . import third\nfrom .other import y\nthing = 1\n",
    "snippets/part/pkg/other.py": "y = 1\n",
    "snippets/part/pkg/third.py": "",
    "snippets/other/_helper.py": "another of that name\n",
}


def hashed(project: Project, name: str) -> set[str]:
    return set(source_hashes(project, load_snippet(project, name)))


def test_imports_are_followed(make_project: Callable[..., Project]) -> None:
    part = "snippets/part"
    wanted = ["a", "_helper", "_deeper", "_lazy", "pkg/sub", "pkg/other", "pkg/third"]
    hashes = hashed(make_project(FILES), "part/a.py")
    assert hashes - {f"{part}/pkg/__init__.py"} == {f"{part}/{name}.py" for name in wanted}


def test_the_data_beside_a_module_counts(make_project: Callable[..., Project]) -> None:
    project = make_project(FILES | {"snippets/part/_helper.toml": "a = 1\n"})
    assert "snippets/part/_helper.toml" in hashed(project, "part/a.py")


@pytest.mark.parametrize(
    "source",
    [
        "import os, \\\n  _helper\n",
        "from \\\n  _helper import x\n",
        "if 1: from _helper import x\n",
        "x = 1; import _helper as h\n",
    ],
)
def test_every_way_to_write_an_import(make_project: Callable[..., Project], source: str) -> None:
    assert hashed(make_project({"snippets/a.py": source, "snippets/_helper.py": ""}), "a.py") == {
        "snippets/a.py",
        "snippets/_helper.py",
    }


def test_helper_that_does_not_parse(make_project: Callable[..., Project]) -> None:
    files = {"snippets/a.py": "import _h, _b\n", "snippets/_h.py": "if x\n", "snippets/_b.py": b"\xff\x00"}
    assert hashed(make_project(files), "a.py") == set(files)


@pytest.mark.parametrize("edited", [name for name in FILES if "__init__" not in name])
def test_an_edit_changes_the_keys_of_its_users_only(make_project: Callable[..., Project], edited: str) -> None:
    project = make_project({**FILES, "snippets/part/b.py": "x = 1\n"})
    before = {name: plan(project, name).key for name in ("part/a.py", "part/b.py")}
    (project.root / edited).write_text(FILES[edited] + "# edited\n")
    used = edited not in ("snippets/part/_unused.py", "snippets/other/_helper.py")
    assert (plan(project, "part/a.py").key != before["part/a.py"]) == used
    assert plan(project, "part/b.py").key == before["part/b.py"]


def test_a_helper_that_comes_and_goes(make_project: Callable[..., Project]) -> None:
    project = make_project({"snippets/a.py": "import _helper\n"})
    assert hashed(project, "a.py") == {"snippets/a.py"}
    time.sleep(0.02)  # the clock of a file system ticks every few milliseconds
    (project.snippets / "_helper.py").write_text("x = 1\n")
    assert hashed(project, "a.py") == {"snippets/a.py", "snippets/_helper.py"}
    time.sleep(0.02)
    (project.snippets / "_helper.py").unlink()
    assert hashed(project, "a.py") == {"snippets/a.py"}


def test_declared_data_and_environment(make_project: Callable[..., Project]) -> None:
    source = "# /// lesson\n# data = ['d.txt']\n# env = {A = 'VALUE'}\n# ///\n"
    project = make_project({"snippets/a.py": source, "snippets/d.txt": "1"})
    snippet, hashes = load_snippet(project, "a.py"), hashed(project, "a.py")
    assert hashes == {"snippets/a.py", "snippets/d.txt"}
    before = plan(project, "a.py").key
    (project.snippets / "d.txt").write_text("22")
    assert plan(project, "a.py").key != before
    current = sources.key(snippet, {}, this_machine(), 1)
    assert sources.key(replace(snippet, declared=Declared(env={"A": "other"})), {}, this_machine(), 1) != current
    assert sources.key(snippet, {}, this_machine(), 2) != current


@pytest.mark.parametrize("field", ["torch", "triton", "python", "isa", "cores"])
def test_the_machine_is_part_of_the_key(
    make_project: Callable[..., Project], monkeypatch: pytest.MonkeyPatch, field: str
) -> None:
    project = make_project({"snippets/a.py": ""})
    before = plan(project, "a.py").key
    other = replace(this_machine(), **{field: 99 if field == "cores" else "99"})
    monkeypatch.setattr(plans, "this_machine", lambda: other)
    assert plan(project, "a.py").key != before


def test_the_same_text_under_another_name_is_another_key(make_project: Callable[..., Project]) -> None:
    project = make_project({"snippets/a.py": "x", "snippets/b.py": "x"})
    assert plan(project, "a.py").key != plan(project, "b.py").key


def test_of_the_package_only_what_is_used_counts(make_project: Callable[..., Project]) -> None:
    project = make_project(
        {
            "snippets/show.py": "from compile_lessons import show\n",
            "snippets/table.py": "from compile_lessons import Table\n",
            "snippets/all.py": "import compile_lessons\n",
            "snippets/none.py": "import torch, json\n",
        }
    )
    assert "compile_lessons/show/__init__.py" in hashed(project, "show.py")
    assert not {"compile_lessons/commands/cli.py", "compile_lessons/show/table.py"} & hashed(project, "show.py")
    assert "compile_lessons/show/table.py" in hashed(project, "table.py")
    assert {"compile_lessons/show/table.py", "compile_lessons/show/__init__.py"} <= hashed(project, "all.py")
    assert hashed(project, "none.py") == {"snippets/none.py"}


def test_an_edit_in_the_package(
    make_project: Callable[..., Project], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    package = tmp_path / "lib" / "compile_lessons"
    (package / "deep").mkdir(parents=True)
    (package / "__init__.py").write_text("from compile_lessons.one import f\nfrom compile_lessons.two import g\n")
    (package / "one.py").write_text("from .deep.three import h\n")
    (package / "two.py").write_text("g = 1\n")
    (package / "deep" / "__init__.py").write_text("")
    (package / "deep" / "three.py").write_text("from ..two import g as h\n")
    monkeypatch.setattr(sources, "_PACKAGE", package)
    project = make_project({"snippets/f.py": "from compile_lessons import f\n", "snippets/g.py": "x = 1\n"})
    before = {name: plan(project, name).key for name in ("f.py", "g.py")}
    (package / "deep" / "three.py").write_text("from ..two import g as h  # edited\n")
    assert plan(project, "f.py").key == before["f.py"], "it runs the same"
    (package / "deep" / "three.py").write_text("from ..two import g as h\nx = 1\n")
    assert plan(project, "f.py").key != before["f.py"]
    assert plan(project, "g.py").key == before["g.py"]
    assert "compile_lessons/two.py" in hashed(project, "f.py")


def test_what_measures_is_there() -> None:
    assert all((sources._PACKAGE.parent / module).is_file() for module in sources.MEASURING)


def test_what_prints_a_capture_is_part_of_its_key(make_project: Callable[..., Project]) -> None:
    """Forms are registered, not imported by name; and ``compare`` is defined in its package's ``__init__``."""
    project = make_project({"snippets/a.py": "from compile_lessons import capture\n"})
    parts = {f"compile_lessons/{name}.py" for name in ("reports/part_text", "api/compare/judge")}
    assert parts <= hashed(project, "a.py")

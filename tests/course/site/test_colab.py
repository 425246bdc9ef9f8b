"""The notebook of each snippet, and the links of the pages to them."""

import json
import subprocess
from pathlib import Path

import nbclient
import nbformat
import pytest

from compile_lessons.course.records.snippet import load_snippet
from compile_lessons.course.site.colab import BRANCH, colab_address, notebook, notebook_path, write_notebooks
from compile_lessons.ground.project import Project

ADDRESS = "https://github.com/someone/course"


def test_each_snippet_that_needs_no_other_machine_has_one(course: Project, tmp_path: Path) -> None:
    written = write_notebooks(course, ADDRESS, tmp_path)
    paths = {path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*.ipynb")}
    recorded = {path.relative_to(course.snippets).as_posix() for path in course.snippets.rglob("*.recording.json")}
    assert len(paths) == written == len(course.snippet_names()) - len(recorded)
    assert not paths & {name.replace(".recording.json", ".ipynb") for name in recorded}
    for path in paths:
        text = (tmp_path / path).read_text(encoding="utf-8")
        nbformat.validate(nbformat.reads(text, as_version=4))
        program = "".join(json.loads(text)["cells"][2]["source"])
        source = (course.snippets / path).with_suffix(".py").read_text(encoding="utf-8")
        assert program.partition("\n")[2] == source.rstrip()


def test_a_page_links_to_the_notebook(course: Project) -> None:
    """CI replaces the branch that the address names."""
    snippet = load_snippet(course, "start/setup.py")
    assert not snippet.recorded
    address = colab_address(ADDRESS, snippet.name)
    assert address == f"https://colab.research.google.com/github/someone/course/blob/{BRANCH}/start/setup.ipynb"
    assert address.endswith(f"/{notebook_path(snippet.name)}")
    workflow = (course.root / ".github/workflows/ci.yml").read_text(encoding="utf-8")
    assert f" {BRANCH}\n        env:" in workflow and f"--initial-branch={BRANCH}\n" in workflow


@pytest.mark.nightly  # copies the course, and installs it where it is missing
def test_a_notebook_runs(course: Project, tmp_path: Path) -> None:
    """Outside of a copy of the course, as in Colab: it makes one first."""
    snippet = load_snippet(course, "start/setup.py")
    sheet = nbformat.reads(notebook(snippet, str(course.root)), as_version=4)
    sheet.cells[1].source = sheet.cells[1].source.replace("%pip install --quiet .", "")  # the package is here already
    nbclient.NotebookClient(sheet, timeout=300, resources={"metadata": {"path": str(tmp_path)}}).execute()
    printed = "".join(output.get("text", "") for output in sheet.cells[-1].outputs)
    alone = subprocess.run(["python", snippet.path], cwd=course.root, capture_output=True, text=True, check=True)
    assert printed.splitlines() == alone.stdout.splitlines() != []

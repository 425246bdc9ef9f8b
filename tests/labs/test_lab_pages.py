"""Each lab has a page, a notebook and a way in; what they say agrees with the lab."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import nbclient
import nbformat
import pytest

from compile_lessons.labs import notebook
from compile_lessons.labs.lab import SITE, Lab, find_lab, labs
from compile_lessons.site.embed import embed_html
from compile_lessons.site.pages import EmbedError, parse_lab

ROOT = Path(__file__).parents[2]
LABS = labs()
NEEDS = {(): "needs only PyTorch", ("compiler",): "needs a C++ compiler", ("triton",): "needs Triton (Linux)"}
HEADINGS = ["Start", "The file", "Hints", "Solution", "Key question", "Where to go next"]


@pytest.mark.parametrize("lab", LABS, ids=lambda lab: lab.slug)
def test_a_page_follows_its_lab(lab: Lab) -> None:
    facts, page = lab.facts, (ROOT / "docs" / f"{lab.page}.md").read_text(encoding="utf-8")
    lines = page.splitlines()
    assert lines[0] == f"# {facts.title}"
    start = f"Lab {facts.number} · {facts.minutes} minutes · {NEEDS[facts.needs]} · builds on ["
    assert lines[2].startswith(start) and lines[3] == "{ .lesson-facts }"
    assert re.findall(r"^## (.*)$", page, re.M) == HEADINGS
    for part in (
        f"compile-lessons lab start {facts.number}\n",
        f'\nsnippet("labs/{lab.slug}/stub.py")\n',
        f'\n    snippet("labs/{lab.slug}/solution.py")\n',
        f'\nlab("{lab.slug}", "hints")\n',
        f'\nlab("{lab.slug}", "question")\n',
        f"({lab.slug}.ipynb)",
        f"(https://colab.research.google.com/github/compile-lessons/compile-lessons/blob/main/docs/labs/{lab.slug}.ipynb)",
    ):
        assert part in page, f"{lab.page}: nothing with {part!r}"
    index = (ROOT / "docs" / "labs" / "index.md").read_text(encoding="utf-8")
    link = f"- {facts.number} · [{facts.title}]({lab.page.removeprefix('labs/')}.md), {facts.minutes} minutes\n"
    assert link in index.split(f"\n## {facts.track.capitalize()}\n")[1].partition("\n## ")[0]
    assert f": {lab.page}.md\n" in (ROOT / "mkdocs.yml").read_text(encoding="utf-8")


@pytest.mark.parametrize("lab", LABS, ids=lambda lab: lab.slug)
def test_a_notebook_is_made_from_its_stub(lab: Lab) -> None:
    path = ROOT / "docs" / "labs" / f"{lab.slug}.ipynb"
    assert path.read_text(encoding="utf-8") == notebook.text(lab), "Fix: python -m compile_lessons.labs.notebook"
    nbformat.validate(notebook.notebook(lab))


def test_the_site_is_where_the_reports_say() -> None:
    assert f"site_url: {SITE}\n" in (ROOT / "mkdocs.yml").read_text(encoding="utf-8")


def run_notebook(lab: Lab, folder: Path, source: str) -> str:
    """Run a lab's notebook in a new kernel with ``source`` as the answer. Returns what the last cell printed."""
    sheet = notebook.notebook(lab)
    sheet.cells[3].source = f"%%writefile {lab.slug}.py\n{source}"
    nbclient.NotebookClient(sheet, timeout=300, resources={"metadata": {"path": str(folder)}}).execute()
    outputs = sheet.cells[-1].outputs
    return "".join(output.get("text") or output["data"]["text/plain"] for output in outputs)


def test_a_notebook_runs_with_the_stub(tmp_path: Path) -> None:
    lab = find_lab("predict_the_graph")
    assert "Lab 2, Predict the graph: not done yet" in run_notebook(lab, tmp_path, lab.stub)


@pytest.mark.parametrize(
    "lab", [pytest.param(lab, marks=pytest.mark.nightly, id=lab.slug) for lab in LABS if not lab.facts.needs]
)
def test_a_notebook_runs_with_the_solution(lab: Lab, tmp_path: Path) -> None:
    assert f"{lab.heading}: done" in run_notebook(lab, tmp_path, lab.solution)


def test_pytest_checks_an_answer_without_importing_it(tmp_path: Path) -> None:
    lab = find_lab("predict_the_graph")
    for name, text in {
        lab.slug: f"raise SystemExit('imported')\n{lab.stub}",
        "stop_the_recompiles": "import os",
    }.items():
        (tmp_path / f"{name}.py").write_text(text)
    (tmp_path / "untouched").mkdir()
    (tmp_path / "untouched" / f"{lab.slug}.py").write_text(lab.stub)
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--rootdir", str(tmp_path), "."]
    env = {name: value for name, value in os.environ.items() if name != "PYTEST_ADDOPTS"}
    done = subprocess.run(command, cwd=tmp_path, env=env, capture_output=True, text=True)
    assert "2 failed" in done.stdout and "not done yet" in done.stdout, done.stdout + done.stderr
    assert "Lab 2, Predict the graph: your code raised an exception" in done.stdout and "Traceback" not in done.stdout


@pytest.mark.parametrize(
    "line", ['lab("shapes")', 'lab("shapes", "answer")', 'lab(shapes, "hints")', 'lab("shapes", "hints"']
)
def test_a_block_that_is_no_part_of_a_lab(line: str) -> None:
    with pytest.raises(EmbedError, match="a lab's block holds"):
        parse_lab(line)


def test_a_lab_that_is_not_there_shows_on_the_page() -> None:
    assert "no lab" in embed_html('lab("no_such_lab", "hints")')
    hints = embed_html('lab("predict_the_graph", "hints")')
    assert hints.count("<details") == 3 and "<em>to a tensor</em>" in hints

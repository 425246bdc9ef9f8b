"""Each lab has a page, a notebook and a way in; what they say agrees with the lab."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import nbclient
import nbformat
import pytest

from compile_lessons.course import notebook
from compile_lessons.course.records.plan import find_record, plan
from compile_lessons.course.records.store import Store
from compile_lessons.course.site.embed import embed_html
from compile_lessons.course.site.pages import EmbedError, parse_lab
from compile_lessons.ground.project import Project
from compile_lessons.ground.site import SITE
from compile_lessons.labs.lab import Lab, find_lab, labs

ROOT = Path(__file__).parents[2]
LABS = labs()
NEEDS = {(): "needs only PyTorch", ("compiler",): "needs a C++ compiler", ("triton",): "needs Triton (Linux)"}
HEADINGS = ["Start", "The file", "Hints", "Solution", "Key question", "Where to go next"]


@pytest.mark.parametrize("lab", LABS, ids=lambda lab: lab.slug)
def test_a_page_follows_its_lab(lab: Lab) -> None:
    facts, page = lab.facts, (ROOT / "docs" / f"{lab.page}.md").read_text(encoding="utf-8")
    assert page.startswith(f"---\ntags: [lab {facts.number}]\n---\n\n")  # the search finds it by its number
    lines = page.splitlines()[4:]
    assert lines[0] == f"# {facts.title}"
    start = f"Lab {facts.number} · {facts.minutes} minutes · {NEEDS[facts.needs]} · builds on ["
    assert lines[2].startswith(start) and lines[3] == "{ .lesson-facts }"
    assert re.findall(r"\]\(\.\./([\w/-]+)\.md\)", lines[2]) == list(facts.lessons)
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
    link = re.escape(f"- **[{facts.number} · {facts.title}]({lab.page.removeprefix('labs/')}.md)**")
    track = index.split(f"\n## {facts.track.capitalize()}\n")[1].partition("\n## ")[0]
    assert re.search(rf"^{link}\n\n    [A-Z].+\.\n\n    {facts.minutes} minutes\n", track, re.M)
    assert f": {lab.page}.md\n" in (ROOT / "mkdocs.yml").read_text(encoding="utf-8")


def of_the_record(course: Project, name: str) -> str:
    """Return what the checks printed of a lab's file when its snippet ran."""
    record, failure = find_record(Store(course), plan(course, name))
    assert record and not failure
    return "".join(output.text for output in record.outputs)


@pytest.mark.parametrize("lab", LABS, ids=lambda lab: lab.slug)
def test_a_page_shows_that_the_solution_is_done(course: Project, lab: Lab) -> None:
    """A record depends on all that checks an answer."""
    text = of_the_record(course, f"labs/{lab.slug}/solution.py")
    assert text.startswith(f"{lab.heading}: done\n")
    passed = " ".join(text.split())  # titles may go on in the next line
    assert passed.count(" ✓ ") == len(lab.titles) and all(f" ✓ {title}" in passed for title in lab.titles.values())


@pytest.mark.parametrize("lab", LABS, ids=lambda lab: lab.slug)
def test_a_page_shows_that_the_stub_is_not_done_yet(course: Project, lab: Lab) -> None:
    text = of_the_record(course, f"labs/{lab.slug}/stub.py")
    assert text.startswith(f"{lab.heading}: not done yet\n")
    assert f"\n{lab.slug}.py is still the stub.\n" in text


@pytest.mark.parametrize("lab", LABS, ids=lambda lab: lab.slug)
def test_a_notebook_is_made_from_its_stub(lab: Lab) -> None:
    path = ROOT / "docs" / "labs" / f"{lab.slug}.ipynb"
    assert path.read_text(encoding="utf-8") == notebook.lab_notebook(lab), (
        "Fix: python -m compile_lessons.course.notebook"
    )
    nbformat.validate(nbformat.reads(notebook.lab_notebook(lab), as_version=4))


def test_the_site_is_where_the_reports_say() -> None:
    assert f"site_url: {SITE}\n" in (ROOT / "mkdocs.yml").read_text(encoding="utf-8")


def run_notebook(lab: Lab, folder: Path, source: str, kernel: str = "python3") -> str:
    """Run a lab's notebook in a new kernel with ``source`` as the answer. Returns what the last cell printed."""
    sheet = nbformat.reads(notebook.lab_notebook(lab), as_version=4)
    sheet.cells[3].source = f"%%writefile {lab.slug}.py\n{source}"
    resources = {"metadata": {"path": str(folder)}}
    nbclient.NotebookClient(sheet, timeout=300, kernel_name=kernel, resources=resources).execute()
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


def packages(python: Path) -> dict[str, str]:
    """Return the packages that an interpreter finds, with their versions."""
    command = [python, "-m", "pip", "list", "--format=json", "--disable-pip-version-check"]
    listed = subprocess.run(command, check=True, capture_output=True).stdout
    return {package["name"]: package["version"] for package in json.loads(listed)}


@pytest.fixture(scope="module")
def like_colab(tmp_path_factory: pytest.TempPathFactory, monkeypatch_module: pytest.MonkeyPatch) -> Path:
    """An environment that has another torch and a kernel named "colab", and lacks the package. Returns its Python.

    It finds the packages of the environment that OTHER_TORCH names, which stays as it is. Its git takes the course's
    repository from this checkout.
    """
    if not (other := os.environ.get("OTHER_TORCH")):
        pytest.skip("OTHER_TORCH names no environment with another torch and ipykernel, such as .venv-2.15.0")
    folder = tmp_path_factory.mktemp("colab")
    python = folder / "bin" / "python"
    subprocess.run([Path(other, "bin", "python"), "-m", "venv", folder], check=True)
    [own], [others] = (list(Path(path).absolute().glob("lib/python*/site-packages")) for path in (folder, other))
    (own / "others.pth").write_text(str(others))
    subprocess.run([python, "-m", "ipykernel", "install", "--prefix", folder, "--name", "colab"], check=True)
    for name, value in {
        "JUPYTER_PATH": str(folder / "share" / "jupyter"),
        "GIT_CONFIG_COUNT": "1",
        "GIT_CONFIG_KEY_0": f"url.file://{ROOT}.insteadOf",
        "GIT_CONFIG_VALUE_0": "https://github.com/compile-lessons/compile-lessons",
    }.items():
        monkeypatch_module.setenv(name, value)
    return python


@pytest.fixture(scope="module")
def monkeypatch_module() -> Iterator[pytest.MonkeyPatch]:
    with pytest.MonkeyPatch.context() as patch:
        yield patch


@pytest.mark.nightly
def test_the_first_cell_installs_what_is_missing_and_nothing_else(like_colab: Path, tmp_path: Path) -> None:
    """One notebook of each track, with stub and solution, under another torch."""
    before = packages(like_colab)
    for slug in ("predict_the_graph", "stop_the_recompiles", "backend_pass"):
        lab = find_lab(slug)
        assert "not done yet" in run_notebook(lab, tmp_path, lab.stub, "colab")
        assert f"{lab.heading}: done" in run_notebook(lab, tmp_path, lab.solution, "colab")
    after = packages(like_colab)
    assert "compile-lessons" in after and after["torch"] == before["torch"]
    assert {name: version for name, version in after.items() if name in before} == before


def test_pytest_checks_an_answer_without_importing_it(tmp_path: Path) -> None:
    lab = find_lab("predict_the_graph")
    for name, text in {
        lab.slug: f"raise SystemExit('imported')\n{lab.stub}",
        "stop_the_recompiles": "import os",
    }.items():
        (tmp_path / f"{name}.py").write_text(text)
    (tmp_path / "untouched").mkdir()
    (tmp_path / "untouched" / f"{lab.slug}.py").write_text(lab.stub)
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "compile_lessons.labs.plugin", "."]
    env = {name: value for name, value in os.environ.items() if name != "PYTEST_ADDOPTS"}
    done = subprocess.run(command, cwd=tmp_path, env=env, capture_output=True, text=True)
    assert "2 failed" in done.stdout and "not done yet" in done.stdout, done.stdout + done.stderr
    assert "Lab 2, Predict the graph: your code raised an exception" in done.stdout and "Traceback" not in done.stdout


@pytest.mark.parametrize(
    "line",
    [
        'lab("shapes")',
        'lab("shapes", "answer")',
        'lab(shapes, "hints")',
        'lab("shapes", "hints"',
        'lab("shapes", "hints", collapsed=True)',
        'lab("shapes")("shapes", "hints")',
    ],
)
def test_a_block_that_is_no_part_of_a_lab(line: str) -> None:
    with pytest.raises(EmbedError, match="a lab's block holds"):
        parse_lab(line)


def test_a_lab_that_is_not_there_shows_on_the_page() -> None:
    assert "no lab" in embed_html('lab("no_such_lab", "hints")')
    hints = embed_html('lab("predict_the_graph", "hints")')
    assert hints.count("<details") == 3 and "<em>to a tensor</em>" in hints

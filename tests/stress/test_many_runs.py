"""Edits, builds at the same time and kills, many times over: what a page shows is what the program prints."""

import os
import random
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from bs4 import BeautifulSoup

from compile_lessons.course.records.runner import run_snippets
from compile_lessons.course.site import embed
from compile_lessons.course.site.lookup import Lookup
from compile_lessons.ground.project import CACHE_VARIABLE, Project
from projects import command_line, record_of, write_project

pytestmark = pytest.mark.nightly

NAMES = ["a.py", "b.py", "part/c.py"]
FILES = {
    "snippets/_shared.py": "SHARED = 0\n",
    "snippets/a.py": "from _shared import SHARED\n\nnumber = 0\nprint('<a>', SHARED, number)\n",
    "snippets/b.py": '# /// lesson\n# data = ["b.txt"]\n# ///\nfrom pathlib import Path\n\nnumber = 0\n'
    "print(Path(__file__).with_name('b.txt').read_text(), number)\n",
    "snippets/b.txt": "number = 0",
    "snippets/part/c.py": "import _beside\n\nnumber = 0\nprint(_beside.number, number)\n",
    "snippets/part/_beside.py": "number = 0\n",
}


def printed(project: Project, name: str) -> str:
    """What a program prints when a reader runs it."""
    command = [sys.executable, project.snippets / name]
    return subprocess.run(command, cwd=project.root, capture_output=True, text=True, check=True).stdout


def edit(project: Project, name: str, number: int) -> None:
    path = project.root / name
    path.write_text(re.sub(r"^(number|SHARED) = \d+", rf"\1 = {number}", path.read_text(), flags=re.M))


def test_pages_after_200_random_edits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Numbers come back, so that old records are found again."""
    project, chosen, ran = write_project(tmp_path, FILES), random.Random(0), 0
    lookup = Lookup(project, serving=False)
    monkeypatch.setattr(embed, "lookup", lambda: lookup)
    for _ in range(200):
        edit(project, chosen.choice(list(FILES)), chosen.randrange(6))
        ran += sum(outcome.how == "fresh" for outcome in run_snippets(project, NAMES, fork=False))
        lookup._shown.clear()
        for name in NAMES:
            page = BeautifulSoup(embed.embed_html(f"snippet({name!r}, show='output')"), "html.parser")
            assert page.code.get_text() == printed(project, name)
    assert 20 < ran < 400, "some edits bring back what has a record"


def test_four_builds_on_one_cache(tmp_path: Path) -> None:
    pages = {f"docs/{name[:-3]}.md": f'# Page\n\n```python exec="1"\nsnippet("{name}")\n```\n' for name in NAMES}
    extensions = (Path(__file__).parents[2] / "mkdocs.yml").read_text().split("\nmarkdown_extensions:")[1]
    settings = f"site_name: Test\nmarkdown_extensions:{extensions.split(chr(10) + 'nav:')[0]}\n"
    project = write_project(tmp_path, {**FILES, "mkdocs.yml": settings, "docs/index.md": "# Home\n", **pages})
    env = {name: value for name, value in os.environ.items() if name != CACHE_VARIABLE}
    builds = [
        subprocess.Popen([sys.executable, "-m", "mkdocs", "build", "-q", "-d", f"site{n}"], cwd=project.root, env=env)
        for n in range(4)
    ]
    assert [build.wait(300) for build in builds] == [0] * 4
    for number in range(4):
        for name in NAMES:
            page = BeautifulSoup((project.root / f"site{number}" / name[:-3] / "index.html").read_text(), "html.parser")
            assert page.select_one(".snippet-output code").get_text() == printed(project, name)


@pytest.mark.parametrize("seed", range(5))
def test_killed_at_10_random_moments(tmp_path: Path, seed: int) -> None:
    """After each kill, what is in the cache is whole, and the next run ends what this one began."""
    project, chosen, killed = write_project(tmp_path, FILES), random.Random(seed), 0
    began = time.monotonic()
    assert command_line(project, "run", "--no-fork").wait(600) == 0
    usual = time.monotonic() - began
    for number in range(1, 11):
        for name in NAMES:
            edit(project, f"snippets/{name}" if name != "b.py" else "snippets/b.txt", number)
        process = command_line(project, "run", "--no-fork")
        time.sleep(chosen.uniform(0.2, 1) * usual)
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
            killed += 1
        process.communicate()
        again = command_line(project, "run", "--no-fork")
        _, errors = again.communicate(timeout=600)
        assert again.returncode == 0, f"after kill {killed}: {errors}"
        for name in NAMES:
            assert record_of(project, name).text == printed(project, name)
    assert killed >= 5, f"only {killed} of 10 runs were killed before their end"

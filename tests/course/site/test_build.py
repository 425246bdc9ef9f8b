"""A real small site: built in every mode, failing in place, and served while its snippets still run."""

import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import psutil
import pytest
from bs4 import BeautifulSoup
from small_site import FAILING_PAGE, FAILS, small_site, text_of

from compile_lessons.ground.project import CACHE_VARIABLE, Project
from projects import command_line

MODES = {
    "mkdocs": ["mkdocs", "build"],
    "quiet and strict": ["mkdocs", "build", "--quiet", "--strict"],
    "zensical": ["zensical", "build", "--clean"],
}


def build(project: Project, mode: str) -> tuple[Path, int, str]:
    """The built site, the exit status and all that was printed."""
    process = subprocess.run(
        [sys.executable, "-m", *MODES[mode]],
        cwd=project.root,
        env={name: value for name, value in os.environ.items() if name != CACHE_VARIABLE},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    kept = project.root / f"site-{mode.replace(' ', '-')}"
    shutil.copytree(project.root / "site", kept, dirs_exist_ok=True)
    return kept, process.returncode, process.stdout


@pytest.fixture(scope="module")
def fine(tmp_path_factory: pytest.TempPathFactory, small_site_cache: Path) -> Project:
    project = small_site(tmp_path_factory.mktemp("fine"))
    shutil.copytree(small_site_cache, project.cache)
    return project


@pytest.fixture(scope="module")
def built(fine: Project) -> dict[str, Path]:
    sites = {}
    for mode in MODES:
        sites[mode], status, printed = build(fine, mode)
        assert status == 0, printed
    return sites


def embedded(page: Path) -> list[str]:
    """What the embed put on a page, without white space, and without what MkDocs' search takes out."""
    soup = BeautifulSoup(page.read_text(encoding="utf-8"), "html.parser")
    return [
        re.sub(r"\s+", " ", str(tag)).replace(' data-search-exclude=""', "") for tag in soup.select("[class*=snippet-]")
    ]


@pytest.mark.parametrize("page", ["index.html", "part/more/index.html"])
def test_every_mode_builds_the_same_page(built: dict[str, Path], page: str) -> None:
    first, *others = [embedded(site / page) for site in built.values()]
    assert len(first) >= 3
    for other in others:
        assert other == first


def test_the_page_shows_what_ran(built: dict[str, Path]) -> None:
    text = text_of((built["mkdocs"] / "index.html").read_text())
    assert "The value is 2.3." in text
    assert "first <line>\nsecond\n" in text


@pytest.mark.parametrize("mode", MODES)
def test_check_passes(fine: Project, built: dict[str, Path], mode: str) -> None:
    process = command_line(fine, "check", "--site", str(built[mode]))
    _, errors = process.communicate(timeout=60)
    assert (process.returncode, errors) == (0, "0 problems\n")


@pytest.fixture(scope="module")
def failing(tmp_path_factory: pytest.TempPathFactory, small_site_cache: Path) -> Project:
    project = small_site(tmp_path_factory.mktemp("failing"), {**FAILS, **FAILING_PAGE})
    shutil.copytree(small_site_cache, project.cache)
    return project


@pytest.mark.parametrize("mode", MODES)
def test_a_failed_snippet(failing: Project, mode: str) -> None:
    """It shows in place, other pages are whole, and ``check`` fails whatever the build thought."""
    site, _, _ = build(failing, mode)
    text = text_of((site / "part/failing/index.html").read_text())
    assert "This snippet failed: snippets/part/fails.py, line 2" in text
    assert "so far\n" in text and "After." in text
    assert "The value is 2.3." in text_of((site / "index.html").read_text())
    process = command_line(failing, "check", "--site", str(site))
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 1
    assert "snippets/part/fails.py:2: raised RuntimeError: broken (shown on docs/part/failing.md:5)" in errors
    assert "part/failing/index.html: part/fails.py is shown as failure" in errors


def test_a_strict_build_fails_by_itself(failing: Project) -> None:
    process = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(failing.root / "strict")],
        cwd=failing.root,
        env={name: value for name, value in os.environ.items() if name != CACHE_VARIABLE},
        capture_output=True,
        text=True,
    )
    assert process.returncode == 1
    assert "snippets/part/fails.py:2: raised RuntimeError: broken" in process.stderr


def test_an_unknown_option_shows_and_fails(tmp_path: Path, fine: Project) -> None:
    page = '# Wrong\n\n```python exec="1"\nsnippet("part/all.py", size=3)\n```\n'
    project = small_site(tmp_path, {"docs/part/wrong.md": page})
    shutil.copytree(fine.cache, project.cache)
    site, _, _ = build(project, "mkdocs")
    process = command_line(project, "check", "--site", str(site))
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 1
    assert "docs/part/wrong.md:3: snippet() has no option size" in errors
    assert 'part/wrong/index.html: snippet("part/all.py", size=3) is shown as failure' in errors


@contextmanager
def serving(project: Project, *command: str, end: int = signal.SIGINT) -> Iterator[str]:
    """Serve a project with ``mkdocs serve`` or ``zensical serve``, at the address that this yields.

    Ctrl-C reaches its processes too. Another signal reaches the server alone, which is started as a script starts one
    with ``&``, with Ctrl-C ignored.
    """
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{free.getsockname()[1]}"
    log = open(project.root / "serve.log", "w")  # noqa: SIM115 (the server's)
    process = subprocess.Popen(
        [sys.executable, "-m", *command, "--dev-addr", address],
        cwd=project.root,
        env={name: value for name, value in os.environ.items() if name != CACHE_VARIABLE},
        stdout=log,
        stderr=log,
        start_new_session=True,
        preexec_fn=None if end == signal.SIGINT else partial(signal.signal, signal.SIGINT, signal.SIG_IGN),
    )
    try:
        yield f"http://{address}"
    finally:
        (os.killpg if end == signal.SIGINT else os.kill)(process.pid, end)
        try:
            process.wait(60)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        log.close()


def test_a_server_that_is_ended_ends_its_run(tmp_path: Path) -> None:
    """As ``kill`` and ``docker stop`` end it, which reach no other process."""
    snippet = "import os\nimport time\n\nopen('pid.txt', 'w').write(str(os.getpid()))\ntime.sleep(100)\n"
    page = '# Slow\n\n```python exec="1"\nsnippet("slow.py")\n```\n'
    project = small_site(tmp_path, {"snippets/slow.py": snippet, "docs/slow.md": page})
    with serving(project, "mkdocs", "serve", "--dirty", end=signal.SIGTERM) as address:
        read(f"{address}/slow/", "snippets/slow.py runs now", 120)
        snippet_process = psutil.Process(int((project.root / "pid.txt").read_text()))
    snippet_process.wait(60)


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Project, str]]:
    """``mkdocs serve --dirty``, as ``make serve`` runs it, on a cold cache. Every snippet notes that it ran."""
    note = 'open("ran.txt", "a").write(__file__.rpartition("/")[2] + "\\n")\n'
    files = {f"snippets/s{n}.py": f"{note}print('output', {n * 111})\n" for n in (1, 2)}
    pages = {f"docs/p{n}.md": f'# P{n}\n\n```python exec="1"\nsnippet("s{n}.py")\n```\n' for n in (1, 2)}
    project = small_site(tmp_path_factory.mktemp("served"), {**files, **pages})
    with serving(project, "mkdocs", "serve", "--dirty", "--livereload") as address:
        yield project, address


def read(url: str, until: str, limit: float) -> tuple[str, list[str]]:
    """Ask for a page until it holds a text; that page, and every state of it before."""
    deadline, seen = time.monotonic() + limit, []
    while time.monotonic() < deadline:
        try:
            with urllib.request.urlopen(url, timeout=10) as answer:
                page = answer.read().decode()
        except OSError:
            time.sleep(0.1)
            continue
        if until in page:
            return page, seen
        seen.append(page)
        time.sleep(0.1)
    raise AssertionError(f"{until!r} did not appear on {url} within {limit} s: {seen[-1:]}")


def ran(project: Project) -> list[str]:
    return sorted((project.root / "ran.txt").read_text().split())


def test_serving_fills_in_what_is_done(served: tuple[Project, str]) -> None:
    project, address = served
    _, pending = read(f"{address}/p2/", "output 222", 120)
    assert pending, "the page answered before its snippet was done"
    assert re.search(r"<p>snippets/s2.py (runs now|is one of the next)", pending[0])
    assert 'class="admonition info snippet-pending" data-snippet="s2.py"' in pending[0]
    # A browser that asks has a page that lacks records: the server has rendered it again since.
    assert json.loads(read(f"{address}/news.json?page=p2/", "{", 10)[0])["news"] is True
    assert "snippet-pending" not in read(f"{address}/p1/", "output 111", 60)[0]
    assert ran(project) == ["s1.py", "s2.py"], "each ran once"


def test_an_edit_while_serving_runs_that_snippet_only(served: tuple[Project, str]) -> None:
    project, address = served
    read(f"{address}/p1/", "output 111", 120)
    read(f"{address}/p2/", "output 222", 120)  # no run goes on
    before = ran(project)
    path = project.snippets / "s1.py"
    path.write_text(path.read_text().replace("'output', 111", "'edited', 333"))
    read(f"{address}/p1/", "edited 333", 120)
    assert ran(project) == sorted([*before, "s1.py"])
    assert "output 222" in read(f"{address}/p2/", "output 222", 60)[0]


def test_a_server_finds_each_page_in_the_search_and_shows_an_edited_page(served: tuple[Project, str]) -> None:
    project, address = served
    found, _ = read(f"{address}/search/search_index.json", '"location":"p2/"', 60)
    locations = [entry["location"] for entry in json.loads(found)["docs"]]
    assert {"", "p1/", "p2/", "part/more/"} <= set(locations) and len(locations) == len(set(locations))
    page = project.docs / "p2.md"
    page.write_text(page.read_text() + "\nAn edited sentence.\n")
    assert "output 222" in read(f"{address}/p2/", "An edited sentence.", 60)[0]
    found, _ = read(f"{address}/search/search_index.json", "An edited sentence.", 60)
    assert sorted(locations) == sorted(entry["location"] for entry in json.loads(found)["docs"])


def test_a_served_page_is_the_page_that_is_built(served: tuple[Project, str]) -> None:
    """The server renders by itself, with the events that a build has for plugins. Only a build has Markdown twins."""
    project, address = served
    for page, text in {"": "first &lt;line&gt;", "p2/": "output 222"}.items():
        read(f"{address}/{page}", text, 60)  # what runs has run
    site, status, printed = build(project, "mkdocs")
    assert status == 0, printed
    for page in ("", "part/more/"):
        pages = read(f"{address}/{page}", "</html>", 60)[0], (site / page / "index.html").read_text(encoding="utf-8")
        shown, built = (BeautifulSoup(text, "html.parser") for text in pages)
        for link in built.select("a[type='text/markdown']"):
            link.decompose()
        for part in (".md-nav--primary", ".md-nav--secondary", "article"):
            one, other = (str(soup.select_one(part)) for soup in (shown, built))
            assert _without_numbers(one) == _without_numbers(other) != "None", (page, part)


def _without_numbers(text: str) -> str:
    """Without white space between elements, and without the ids of tabs, which count those of all pages."""
    return re.sub(r"\n\s*|snippet-\w{8}-\d+", "\n", text)


def test_a_page_that_can_not_be_rendered_says_why(served: tuple[Project, str]) -> None:
    project, address = served
    page = project.docs / "p1.md"
    text = page.read_text()
    page.write_text(f"---\ntemplate: no-such-template.html\n---\n{text}")
    assert "Traceback" in read(f"{address}/p1/", "jinja2.exceptions.TemplateNotFound", 60)[0]
    page.write_text(text)
    read(f"{address}/p1/", "<h1", 60)


@pytest.mark.nightly  # under mkdocs the same is seen above
def test_zensical_shows_what_an_edited_snippet_prints(
    tmp_path_factory: pytest.TempPathFactory, small_site_cache: Path
) -> None:
    project = small_site(tmp_path_factory.mktemp("zensical"))
    shutil.copytree(small_site_cache, project.cache)
    with serving(project, "zensical", "serve") as address:
        read(f"{address}/", "The value is", 60)
        path = project.snippets / "part/all.py"
        path.write_text(path.read_text().replace('"second"', '"edited"'))
        page, _ = read(f"{address}/", "first &lt;line&gt;\nedited\n", 120)
        assert "snippet-pending" not in page

"""The course as built, once for every test that looks at it, and a browser that looks at it."""

import contextlib
import functools
import http.server
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from small_site import FAILS, small_site

from compile_lessons.course.records.runner import run_snippets
from compile_lessons.ground.project import Project


@pytest.fixture(scope="session")
def small_site_cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The records of the small site's snippets, run once; a record's key does not depend on where a project lies."""
    project = small_site(tmp_path_factory.mktemp("small"), FAILS)
    run_snippets(project, project.snippet_names(), fork=False)
    return project.cache


@pytest.fixture(scope="session")
def site(course: Project, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The course, built strictly by MkDocs; ``BUILT_SITE`` names the folder of a build that was just made, as in CI."""
    if built := os.environ.get("BUILT_SITE"):
        return course.root / built
    folder = tmp_path_factory.mktemp("built") / "site"
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(folder)]
    subprocess.run(command, cwd=course.root, check=True)
    return folder


@pytest.fixture(scope="session")
def address(site: Path) -> Iterator[str]:
    class Quiet(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *arguments: object) -> None:
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=str(site)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()


@pytest.fixture
def page(browser, address: str) -> Iterator[object]:
    with _page(browser, address) as page:
        yield page


@contextlib.contextmanager
def _page(browser, address: str) -> Iterator[object]:
    """Open a page that notes every request to another host and every error on the console; both must stay empty."""
    context = browser.new_context(base_url=address, permissions=["clipboard-read", "clipboard-write"])
    page = context.new_page()
    strangers: list[str] = []
    errors: list[str] = []
    page.on(
        "request", lambda request: request.url.startswith((address, "data:", "blob:")) or strangers.append(request.url)
    )
    page.on("console", lambda message: message.type == "error" and errors.append(message.text))
    page.on("pageerror", lambda error: errors.append(str(error)))
    yield page
    context.close()
    assert strangers == []
    assert errors == []

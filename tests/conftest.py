"""Shared fixtures, the course's own project and small ones made for one test; ``--quick`` leaves out what is slow."""

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from compile_lessons.ground.project import CACHE_VARIABLE, Project
from compile_lessons.runs import compiler_cache
from projects import write_project

TESTS = Path(__file__).parent
ROOT = TESTS.parent

RECURSION_LIMIT = sys.getrecursionlimit()

BROWSERS = ("chromium", "chromium-browser", "google-chrome")

#: Files and folders whose tests compile, run snippets of the course, build or serve a site, or start a browser.
SLOW = (
    "api",
    "commands",
    "course/records/test_bad_snippets.py",
    "course/records/test_runner.py",
    "course/site/test_browser.py",
    "course/site/test_build.py",
    "course/site/test_course.py",
    "course/site/test_fixes.py",
    "course/site/test_notebooks.py",
    "course/site/test_page_commands.py",
    "course/site/test_search.py",
    "course/test_authors_commands.py",
    "course/test_bad_projects.py",
    "docker",
    "explorer",
    "findings/test_remedies_of_breaks.py",
    "findings/test_remedies_of_guards.py",
    "findings/test_remedies_of_rules.py",
    "findings/test_remedies_of_silent_errors.py",
    "findings/test_same_words.py",
    "gpu",
    "ground/test_processes.py",
    "labs",
    "pipeline",
    "reports/test_forms.py",
    "reports/test_summary.py",
    "runs",
    "snippets",
    "test_bench.py",
    "test_readme.py",
    "test_wheel.py",
)
#: What is quick in these folders: it reads pages and sources.
QUICK = ("snippets/test_lessons.py", "snippets/test_order.py", "snippets/test_symbols.py")


def pytest_configure() -> None:
    """Let tests interrupt and end what they start: ``nohup``, or a script's ``&``, starts a suite with signals ignored.

    A process inherits that a signal is ignored, but not that a function does nothing about it.
    """
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    for name in ("SIGHUP", "SIGQUIT", "SIGTERM"):
        number = getattr(signal, name, None)  # Windows has one of them
        if number is not None and signal.getsignal(number) is signal.SIG_IGN:
            signal.signal(number, lambda *_: None)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--quick", action="store_true", help="only quick tests, and those of test files that you edited")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if not config.getoption("--quick"):
        return
    edited = _edited()
    slow = [item for item in items if (_is_slow(item.path) or _has_the_site(item)) and item.path not in edited]
    config.hook.pytest_deselected(items=slow)
    items[:] = [item for item in items if item not in slow]


def _is_slow(path: Path) -> bool:
    name = path.relative_to(TESTS).as_posix()
    return name not in QUICK and any(name == slow or name.startswith(f"{slow}/") for slow in SLOW)


def _has_the_site(item: pytest.Item) -> bool:
    """Whether a test waits for the course's site, which takes a minute to build."""
    return isinstance(item, pytest.Function) and "site" in item.fixturenames


def _edited() -> set[Path]:
    """Files that differ from the last commit, or are new."""
    command = ["git", "status", "--porcelain"]
    lines = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.splitlines()
    return {ROOT / line[3:] for line in lines}  # " M tests/conftest.py"


@pytest.fixture(autouse=True)
def python_s_recursion_limit() -> None:
    """Inductor raises the limit of the process, and with it how deep a program may be nested."""
    sys.setrecursionlimit(RECURSION_LIMIT)


@pytest.fixture(autouse=True)
def nothing_compiled() -> None:
    """Each test begins as a new process does: what another one compiled would answer its calls, or count."""
    if "torch._dynamo" in sys.modules:
        sys.modules["torch"].compiler.reset()


@pytest.fixture(autouse=True)
def number_of_threads() -> Iterator[None]:
    """A program that a test loads may set how many threads torch uses, and with it what Inductor generates."""
    torch = sys.modules.get("torch")
    before = torch.get_num_threads() if torch else 0
    yield
    if before:
        sys.modules["torch"].set_num_threads(before)


@pytest.fixture(scope="session")
def course() -> Project:
    """The course itself, with the cache that builds use."""
    return Project(ROOT)


@pytest.fixture(scope="session")
def precompiled_header(course: Project, request: pytest.FixtureRequest) -> Iterator[None]:
    """What this process compiles takes the header that the course's snippets take; to make one lasts 12 s. Equal
    kernels, and the search for vector instructions, are not compiled again: not by this suite, nor by the next one."""
    compiler_cache.share_precompiled_headers(course.cache / "headers")
    from torch._inductor.runtime.cache_dir_utils import cache_dir  # here, as quick tests do without torch

    folder = Path(cache_dir())
    compiler_cache.link_objects(course.cache / "objects", folder)
    yield
    if request.session.exitstatus != pytest.ExitCode.INTERRUPTED:  # Ctrl-C reaches a compiler in the midst of its work
        compiler_cache.link_objects(folder, course.cache / "objects")


@pytest.fixture(autouse=True)
def share_compiled_objects(request: pytest.FixtureRequest) -> None:
    """A file that imports torch may compile, unless its tests are quick; the others load none of it."""
    if hasattr(request.module, "torch") and not request.config.getoption("--quick"):
        request.getfixturevalue("precompiled_header")


@pytest.fixture
def make_project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Project]:
    """Make a project of given files: ``make_project({"snippets/a.py": "print(1)", "docs/index.md": "# Home"})``."""
    monkeypatch.delenv(CACHE_VARIABLE, raising=False)

    def make(files: dict[str, str | bytes], name: str = "project") -> Project:
        return write_project(tmp_path / name, files)

    return make


@pytest.fixture(scope="session")
def browser() -> Iterator[object]:
    found = next(filter(None, map(shutil.which, BROWSERS)), None)
    if found is None:
        if os.environ.get("REQUIRE_BROWSER"):
            pytest.fail("REQUIRE_BROWSER is set, but there is no Chromium on this machine")
        pytest.skip("no Chromium on this machine: install Debian's chromium to run the browser tests")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        instance = playwright.chromium.launch(
            executable_path=found, args=["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
        )
        yield instance
        instance.close()

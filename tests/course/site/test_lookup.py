"""A page gets a record, or the reason why there is none; a build waits for one run, a server for none."""

import io
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import psutil
import pytest

from compile_lessons.course.records.plan import plan
from compile_lessons.course.records.runner import run_snippets
from compile_lessons.course.records.snippet import SnippetError
from compile_lessons.course.records.store import Store
from compile_lessons.course.site import background, embed
from compile_lessons.course.site.check import check, outlived
from compile_lessons.course.site.lookup import Found, Lookup
from compile_lessons.ground.processes import start
from compile_lessons.ground.project import Project
from projects import record_of

GPU = "# /// lesson\n# needs = ['gpu']\n# ///\nprint('on a GPU')\n"
FILES = {"snippets/a.py": "print('a')\n", "snippets/b.py": "print('b')\n", "snippets/gpu.py": GPU}


@pytest.fixture
def runs(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """The commands a build starts, each really run, without torch."""
    started: list[list[str]] = []

    def counted(command: list[str], **options: Any) -> Any:
        started.append(command)
        return start([*command, "--no-fork"], **options)

    monkeypatch.setattr("compile_lessons.course.site.lookup.start", counted)
    return started


def test_a_build_runs_what_is_missing_once(make_project: Callable[..., Project], runs: list[list[str]]) -> None:
    project = make_project(FILES)
    lookup = Lookup(project, serving=False)
    assert lookup.find("a.py").record.text == "a\n"
    assert lookup.find("b.py").record.text == "b\n"
    assert [*map(list, runs)] == [[sys.executable, "-m", "compile_lessons.course", "run"]]
    assert Lookup(project, serving=False).find("a.py").record.text == "a\n"
    assert len(runs) == 1


def test_a_run_that_left_no_record(make_project: Callable[..., Project], monkeypatch: pytest.MonkeyPatch) -> None:
    project = make_project(FILES)
    status_2 = [sys.executable, "-c", "raise SystemExit(2)"]
    monkeypatch.setattr(
        "compile_lessons.course.site.lookup.start", lambda command, **options: start(status_2, **options)
    )
    found = Lookup(project, serving=False).find("a.py")
    assert found.failure.message == "has no record: 'python -m compile_lessons.course run' ended with status 2"
    assert "run it in a terminal" in found.failure.remedy


@pytest.fixture
def serve(
    make_project: Callable[..., Project], monkeypatch: pytest.MonkeyPatch
) -> Iterator[Callable[[dict[str, str]], Lookup]]:
    """A server's lookup in a project with these files. Its runs are without torch."""
    monkeypatch.setattr(background, "RUN", (*background.RUN, "--no-fork"))
    made: list[Lookup] = []

    def lookup(files: dict[str, str]) -> Lookup:
        made.append(Lookup(make_project(files), serving=True))
        return made[-1]

    yield lookup
    for one in made:
        if one.run.process:
            one.run.process.stdin.close()
            one.run.process.wait(60)


def until(lookup: Lookup, name: str, text: str) -> None:
    deadline = time.monotonic() + MOST_SECONDS
    while (found := lookup.find(name)).record is None and time.monotonic() < deadline:
        assert found == Found(plan(lookup.project, name)), "asking again does not wait either"
        time.sleep(0.1)
    assert found.record and found.record.text == text


def test_a_server_does_not_wait(serve: Callable[..., Lookup]) -> None:
    """One command has the snippets at first, and then each edit."""
    waits = "import os\nimport time\n\nwhile not os.path.exists('go'):\n    time.sleep(0.01)\nprint('a')\n"
    lookup = serve({"snippets/a.py": waits, "snippets/b.py": "print('b')\n"})
    assert lookup.find("a.py").record is None
    until(lookup, "b.py", "b\n")
    deadline = time.monotonic() + MOST_SECONDS
    while lookup.run.running() != {"a.py"} and time.monotonic() < deadline:
        time.sleep(0.1)
    assert lookup.run.running() == {"a.py"} and str(lookup.run.progress) == "1 of 2 snippets are done"
    (lookup.project.snippets / "b.py").write_text("print('edited')\n")
    until(lookup, "b.py", "edited\n")
    (lookup.project.root / "go").touch()
    until(lookup, "a.py", "a\n")
    process = lookup.run.process
    (lookup.project.snippets / "b.py").write_text("print('edited again')\n")
    until(lookup, "b.py", "edited again\n")
    assert lookup.run.process is process


def test_a_run_that_leaves_no_record_says_why(serve: Callable[..., Lookup]) -> None:
    lookup = serve({"snippets/a.py": "import os, signal\n\nos.kill(os.getpid(), signal.SIGKILL)\n"})
    deadline = time.monotonic() + MOST_SECONDS
    while (failure := lookup.find("a.py").failure) is None and time.monotonic() < deadline:
        time.sleep(0.1)
    assert failure.message.startswith("died of SIGKILL")


def test_another_command_for_an_edited_package_or_after_its_end(serve: Callable[..., Lookup]) -> None:
    """Without its pool a command would fail each later edit, so it ends."""
    lookup = serve({"snippets/a.py": "print('a')\n"})
    until(lookup, "a.py", "a\n")
    first = lookup.run.process
    lookup.run._began = 0  # the package is newer
    (lookup.project.snippets / "a.py").write_text("print('b')\n")
    until(lookup, "a.py", "b\n")
    second = lookup.run.process
    assert first is not second and first.wait(MOST_SECONDS) == 1
    [pool] = psutil.Process(second.pid).children()
    pool.kill()
    assert second.wait(MOST_SECONDS) == 1
    (lookup.project.snippets / "a.py").write_text("print('c')\n")
    until(lookup, "a.py", "c\n")


def test_what_an_answer_depends_on(make_project: Callable[..., Project], monkeypatch: pytest.MonkeyPatch) -> None:
    """A server keeps it with the page, and renders the page again when something of it changes."""
    monkeypatch.setattr(background, "start", Busy)
    project = make_project({"snippets/a.py": "import _shared\n", "snippets/_shared.py": ""})
    lookup = Lookup(project, serving=True)
    assert lookup.find("a.py").record is None
    assert lookup.files == {project.snippets / name for name in (".", "a.py", "_shared.py")}
    assert lookup.pending == {"a.py": plan(project, "a.py").key}
    with pytest.raises(SnippetError):
        lookup.find("missing.py")
    assert project.snippets / "missing.py" in lookup.files


class Busy:
    """A command that never ends. ``stdin`` has what it was asked for."""

    def __init__(self, command: list[str], **options: Any) -> None:
        self.stdin, self.stdout, self.poll = io.BytesIO(), io.BytesIO(), lambda: None


def test_an_edit_that_was_undone_is_run_when_it_comes_back(
    make_project: Callable[..., Project], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its first run ended without a record, as the file had another text by then."""
    monkeypatch.setattr(background, "start", Busy)
    texts = {"print('edited')\n": None, "print('undone')\n": object()}
    monkeypatch.setattr(
        "compile_lessons.course.site.lookup.find_record", lambda store, item: (texts[item.snippet.code], None)
    )
    project = make_project(FILES)
    lookup = Lookup(project, serving=True)
    for text in ("print('edited')\n", "print('undone')\n", "print('edited')\n"):
        (project.snippets / "a.py").write_text(text)
        lookup.find("a.py")
        lookup.find("a.py")
    assert lookup.run.process.stdin.getvalue().count(b"a.py") == 2


#: A server that starts a run from a thread, which ends; a request has one.
SERVER = """
import sys, threading, time
from pathlib import Path
from compile_lessons.ground.project import Project
from compile_lessons.course.site import background
from compile_lessons.course.site.lookup import Lookup
background.RUN = (*background.RUN, "--no-fork")
request = threading.Thread(target=Lookup(Project(Path(sys.argv[1])), serving=True).find, args=["a.py"])
request.start()
request.join()
time.sleep(300)
"""


def test_a_run_ends_with_its_server_and_not_with_the_request(make_project: Callable[..., Project]) -> None:
    project = make_project({"snippets/a.py": "import time\n\nopen('begun', 'w').close()\ntime.sleep(300)\n"})
    server = subprocess.Popen([sys.executable, "-c", SERVER, str(project.root)])
    deadline = time.monotonic() + MOST_SECONDS
    while not (project.root / "begun").exists():
        assert server.poll() is None and time.monotonic() < deadline
        time.sleep(0.1)
    below = psutil.Process(server.pid).children(recursive=True)
    assert len(below) == 3, "the command, its pool, and the run"
    server.kill()
    server.wait()
    _, alive = psutil.wait_procs(below, timeout=60)
    assert [process for process in alive if process.status() != psutil.STATUS_ZOMBIE] == []


MOST_SECONDS = 120  # beside a full build


def test_lacking(make_project: Callable[..., Project], monkeypatch: pytest.MonkeyPatch, runs: list[list[str]]) -> None:
    monkeypatch.setenv("CXX", "no-such-compiler")
    project = make_project({"snippets/c.py": "# /// lesson\n# needs = ['compiler']\n# ///\n"})
    assert "install g++, or clang and libomp" in Lookup(project, serving=False).find("c.py").lacking
    assert runs == []


@pytest.fixture
def recorded(make_project: Callable[..., Project], monkeypatch: pytest.MonkeyPatch) -> Project:
    """A GPU snippet with a recording, as it is committed beside it."""
    page = '# P\n\n```python exec="1"\nsnippet("gpu.py")\n```\n'
    project = make_project({"snippets/gpu.py": GPU, "snippets/a.py": "print('on a GPU')\n", "docs/index.md": page})
    run_snippets(project, ["a.py"], fork=False)
    (project.snippets / "gpu.recording.json").write_text(
        replace(
            record_of(project, "a.py"),
            snippet="gpu.py",
            command="python snippets/gpu.py",
            device="NVIDIA H200",
            sources=plan(project, "gpu.py").sources,
            date="2026-02-03T04:05:06+00:00",
        ).to_json()
    )
    (project.snippets / "a.py").unlink()
    monkeypatch.setattr(embed, "lookup", lambda: Lookup(project, serving=False))
    return project


def test_recording(recorded: Project) -> None:
    page = embed.embed_html('snippet("gpu.py")')
    assert 'Recorded<span class="when"> on NVIDIA H200</span>: ' in page
    assert "2026-02-03" in page and "on a GPU" in page
    assert "snippet-failure" not in page
    assert check(recorded) == []
    assert [outcome.how for outcome in run_snippets(recorded, ["gpu.py"])] == ["cached"]


def test_recording_on_a_cpu(recorded: Project) -> None:
    """Beside other packages: the page says which, and what it ran on."""
    store = Store(recorded)
    on_cpu = replace(store.recording("gpu.py"), device="a CPU (AMD EPYC, 2 cores)", packages={"jax": "1.2.3"})
    store.put_recording(on_cpu)
    page = embed.embed_html('snippet("gpu.py")')
    assert 'Recorded<span class="when"> on a CPU (AMD EPYC, 2 cores)</span>: ' in page
    assert " · jax 1.2.3 · " in page and "2026-02-03" in page


def test_stale_recording(recorded: Project) -> None:
    (recorded.snippets / "gpu.py").write_text(GPU + "print('edited')\n")
    assert "its recording is older than its source" in embed.embed_html('snippet("gpu.py")')
    [problem] = check(recorded)
    assert problem.place == "snippets/gpu.py"
    assert "its recording is older than its source (shown on docs/index.md:3). Fix: " in problem.message
    assert "compile_lessons.course record snippets/gpu.py" in problem.message
    [outcome] = run_snippets(recorded, ["gpu.py"])
    assert outcome.how == "failed" and "older than its source" in outcome.failure.message


def test_recording_before_a_change_of_the_package(recorded: Project) -> None:
    """It is shown, with a word about it; ``check`` lists it, and it is no problem."""
    store = Store(recorded)
    recording = store.recording("gpu.py")
    assert "package changed since" not in embed.embed_html('snippet("gpu.py")')
    assert outlived(recorded) == []
    store.put_recording(replace(recording, sources=recording.sources | {"compile_lessons/table.py": "old"}))
    page = embed.embed_html('snippet("gpu.py")')
    assert "package changed since" in page and "snippet-failure" not in page
    assert check(recorded) == [] and outlived(recorded) == ["gpu.py"]
    assert [outcome.how for outcome in run_snippets(recorded, ["gpu.py"])] == ["cached"]


def test_damaged_recording(recorded: Project) -> None:
    """Its text was changed, say: a page doesn't show it as a fact, and says which file it is."""
    path = Store(recorded).recording_path("gpu.py")
    path.write_text(path.read_text().replace("on a GPU", "on two GPUs"))
    page = embed.embed_html('snippet("gpu.py")')
    assert "snippet-failure" in page and "two GPUs" not in page
    assert "snippets/gpu.recording.json can" in page and "its content is not what was recorded" in page
    [problem] = check(recorded)
    assert problem.place == "snippets/gpu.py" and "(shown on docs/index.md:3). Fix: get the file from" in str(problem)
    [outcome] = run_snippets(recorded, ["gpu.py"])
    assert outcome.how == "failed" and "gpu.recording.json" in outcome.failure.message
    assert outlived(recorded) == []


def test_a_damaged_record_is_run_again(make_project: Callable[..., Project], runs: list[list[str]]) -> None:
    project = make_project({"snippets/a.py": "print('a')\n"})
    run_snippets(project, ["a.py"], fork=False)
    path = Store(project).path(plan(project, "a.py").key)
    path.write_text(path.read_text().replace('"a\\n"', '"b\\n"'))
    assert Lookup(project, serving=False).find("a.py").record.text == "a\n" and len(runs) == 1

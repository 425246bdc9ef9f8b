"""Whatever a snippet does, its failure says where and what to do, and no other snippet's result is lost."""

import os
import time
from pathlib import Path

import psutil
import pytest

from compile_lessons.course.records.plan import plan
from compile_lessons.course.records.record import SnippetFailure
from compile_lessons.course.records.runner import SnippetOutcome, run_snippets
from compile_lessons.course.records.store import Store
from compile_lessons.course.site.lookup import Lookup
from compile_lessons.ground.project import CACHE_VARIABLE, Project
from projects import record_of, write_project

GOOD = 'print("good")\n'

# Name: source, the line that is to blame, words of the message, words of the remedy.
BAD: dict[str, tuple[str | bytes, int | range | None, str, str]] = {
    "raises": ('x = 1\nraise ValueError("wrong size")\n', 2, "raised ValueError: wrong size", "declare the exception"),
    "raises_with_a_note": (
        'error = ValueError("wrong size")\nerror.add_note("rank 1 wrote: 3")\nraise error\n',
        3,
        "raised ValueError: wrong size\nrank 1 wrote: 3",
        "declare the exception",
    ),
    "raises_without_text": (
        "class Odd(Exception):\n    def __str__(self):\n        return self.text\n\n\nraise Odd\n",
        6,
        "raised __main__.Odd: (its __str__ raised AttributeError)",
        "declare the exception",
    ),
    "breaks_excepthook": (
        "import sys\nsys.excepthook = lambda *_: {}['hook']\nraise ValueError('size')\n",
        None,
        "ended with status 70 before Python did",
        "KeyError: 'hook'",
    ),
    "raises_below": (
        "def f():\n    return {}['key']\n\n\nf()\n",
        2,
        "raised KeyError: 'key'",
        "declare the exception",
    ),
    "not_raised": (
        '# /// lesson\n# raises = {type = "ValueError", message = "size"}\n# ///\nprint("fine")\n',
        4,
        "should have raised ValueError('size'), but ended without an exception",
        "take 'raises' out",
    ),
    "other_type": (
        '# /// lesson\n# raises = {type = "ValueError"}\n# ///\nraise KeyError("k")\n',
        4,
        "should have raised ValueError, but raised KeyError: 'k'",
        "declare what it raises now",
    ),
    "other_message": (
        '# /// lesson\n# raises = {type = "ValueError", message = "size"}\n# ///\nraise ValueError("shape")\n',
        4,
        "should have raised ValueError('size'), but raised ValueError: shape",
        "declare what it raises now",
    ),
    "hangs": (
        "# /// lesson\n# timeout = 1\n# ///\nprint('begun')\nwhile True:\n    pass\n",
        range(5, 7),
        "still running after 1 s of processor time",
        "declare a longer 'timeout'; its output: begun",
    ),
    "hangs_in_c": (
        "# /// lesson\n# timeout = 1\n# ///\nimport time\ntime.sleep(600)\n",
        5,
        "still waiting after 1 s in which it used no processor",
        "declare a longer 'timeout'",
    ),
    "hangs_deaf": (
        "# /// lesson\n# timeout = 1\n# ///\nimport signal, time\n"
        "for number in (signal.SIGINT, signal.SIGTERM, signal.SIGUSR1):\n    signal.signal(number, signal.SIG_IGN)\n"
        "time.sleep(600)\n",
        None,
        "still waiting after 1 s in which it used no processor",
        "find what it sleeps on or waits for",
    ),
    "asserts": (
        "x = 1\nassert (\n    x ==\n    2\n)\n",
        3,
        "raised AssertionError: assert x == 2, where x = 1",
        "or the page that states it",
    ),
    "disk_full": (
        "open('/dev/full', 'w', buffering=1).write('x\\n')\n",
        1,
        "raised OSError: [Errno 28] No space left on device",
        "free space on the disk",
    ),
    "waits_for_input": ("input()\n", 1, "raised EOFError", "declare the exception"),
    "segfaults": ("import ctypes\nctypes.string_at(0)\n", 2, "died of SIGSEGV", "python snippets/segfaults.py"),
    "aborts": ("import os\nos.abort()\n", 2, "died of SIGABRT", "python snippets/aborts.py"),
    "killed": (
        "import os, signal\nos.kill(os.getpid(), signal.SIGKILL)\n",
        None,
        "the system may have run out of memory",
        "python snippets/killed.py",
    ),
    "memory": (
        "# /// lesson\n# memory = 1500\n# ///\nimport time\nbig = bytearray(1700 * 2**20)\ntime.sleep(60)\n",
        range(5, 7),
        "its limit is 1500 MiB",
        "declare a larger 'memory'",
    ),
    "system_exit": ("import sys\nsys.exit(3)\n", 2, "raised SystemExit: 3", "declare the exception"),
    "os_exit": (
        "import os\nprint('on')\nos._exit(0)\n",
        None,
        "ended with status 0 before Python did",
        "end by itself",
    ),
    "c_exit": (
        "import ctypes\nctypes.CDLL(None)._exit(4)\n",
        None,
        "ended with status 4 before Python did",
        "end by itself",
    ),
    "megabyte": ('print("x" * 2**20)\n', None, "printed 1024 KiB; a page can show 256 KiB", "print less"),
    "endless_output": (
        "while True:\n    print('x' * 2**16)\n",
        range(1, 3),
        "printed more than 16 MiB",
        "print less",
    ),
    "not_utf8": (
        'import os\nprint("one")\nos.write(1, b"\\xff\\xfe\\n")\n',
        None,
        "line 2 of its output is not UTF-8",
        "decode",
    ),
    "syntax": ("x = 1\nif x\n    pass\n", 2, "raised SyntaxError: expected ':'", "correct the line"),
    "source_not_utf8": (b"x = 1\ny = '\xff'\n", None, "snippets/source_not_utf8.py:2: not UTF-8", ""),
    "leaves_child": (
        "import subprocess\nsubprocess.Popen(['sleep', '987'])\n",
        None,
        "left a process behind: sleep",
        "wait for it",
    ),
    "leaves_session": (
        "import subprocess\nsubprocess.Popen(['sleep', '986'], start_new_session=True, env={})\n",
        None,
        "left a process behind: sleep",
        "wait for it",
    ),
    "leaves_fork": (
        "import os, time\nif os.fork() == 0:\n    time.sleep(985)\n",
        None,
        "left a process behind",
        "wait for it",
    ),
    "leaves_daemon": (
        "import os, time\nif os.fork() == 0:\n    os.setsid()\n    if os.fork() == 0:\n"
        "        time.sleep(984)\n    os._exit(0)\nos.wait()\n",
        None,
        "left a process behind",
        "wait for it",
    ),
}

# What looks bad and is not.
FINE: dict[str, str] = {
    "good": GOOD,
    "prints_traceback": ("import traceback\ntry:\n    1 / 0\nexcept ZeroDivisionError:\n    traceback.print_exc()\n"),
    "expected": '# /// lesson\n# raises = {type = "ValueError", message = "si"}\n# ///\nraise ValueError("size")\n',
    "exits_zero_in_child": "import os\nif os.fork() == 0:\n    os._exit(0)\nos.wait()\nprint('parent')\n",
    "big_values": "huge = 2**20000\nnot_a_number = float('nan')\nsmall = 7\n",
    "closed_stdout": "import sys\nprint('before')\nsys.stdout.close()\n",
    "idle_executor": (
        "from concurrent.futures import ThreadPoolExecutor\n"
        "pool = ThreadPoolExecutor(2)\nprint(pool.submit(pow, 2, 5).result())\n"
    ),
    "thread_at_end": (
        "import threading, time\n\n\ndef late():\n    time.sleep(0.3)\n    print('late')\n\n\n"
        "threading.Thread(target=late).start()\nprint('main')\n"
    ),
    "spawns_workers": (
        "import multiprocessing\n\n\ndef work(n):\n    return n * n\n\n\n"
        "if __name__ == '__main__':\n    with multiprocessing.get_context('spawn').Pool(1) as pool:\n"
        "        print(pool.map(work, [2, 3]))\n"
    ),
}


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Project:
    files = {name: source for name, (source, *_) in BAD.items()} | FINE
    return write_project(
        tmp_path_factory.mktemp("bad"), {f"snippets/{name}.py": source for name, source in files.items()}
    )


@pytest.fixture(scope="module")
def outcomes(project: Project) -> dict[str, SnippetOutcome]:
    """All of them in one run, two at a time."""
    return {outcome.name: outcome for outcome in run_snippets(project, project.snippet_names())}


@pytest.mark.parametrize("name", BAD)
def test_bad_snippet_is_reported(outcomes: dict[str, SnippetOutcome], name: str) -> None:
    _, line, message, remedy = BAD[name]
    outcome = outcomes[f"{name}.py"]
    assert outcome.how == "failed"
    failure = outcome.failure
    assert isinstance(failure, SnippetFailure)
    assert message in failure.message
    assert remedy in failure.remedy
    assert failure.line in line if isinstance(line, range) else failure.line == line


#: Ended by a limit, a signal or a full disk: another run may succeed, on a machine that has less to do.
UNFINISHED = {
    *("hangs", "hangs_in_c", "hangs_deaf", "memory", "endless_output"),
    *("segfaults", "aborts", "killed", "disk_full"),
}


def test_a_run_that_did_not_finish_is_no_record(project: Project, outcomes: dict[str, SnippetOutcome]) -> None:
    """Nobody has to edit a snippet to have it run again: each command does."""
    store = Store(project)
    readable = [name for name in BAD if name != "source_not_utf8"]
    assert {name for name in readable if store.get(plan(project, f"{name}.py").key) is None} == UNFINISHED


def test_a_run_that_did_not_finish_is_followed_by_another(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The snippet dies the first time, as where memory was short, and is fine the second time."""
    monkeypatch.delenv(CACHE_VARIABLE, raising=False)
    code = "import os\nif not os.path.exists('been.txt'):\n    open('been.txt', 'w')\n    os.kill(os.getpid(), 9)\n"
    project = write_project(tmp_path, {"snippets/a.py": code})
    lookup = Lookup(project, serving=False)
    [outcome] = run_snippets(project, ["a.py"], fork=False)
    assert outcome.how == "failed" and "died of SIGKILL" in outcome.failure.message
    assert lookup.find("a.py").failure is None, "a build runs what has no record"
    assert [outcome.how for outcome in run_snippets(project, ["a.py"], fork=False)] == ["cached"]


@pytest.mark.parametrize("name", FINE)
def test_the_others_results_are_kept(project: Project, outcomes: dict[str, SnippetOutcome], name: str) -> None:
    assert outcomes[f"{name}.py"].failure is None
    assert record_of(project, f"{name}.py").failure is None


def test_what_was_printed_before_the_failure_is_kept(project: Project, outcomes: dict[str, SnippetOutcome]) -> None:
    assert record_of(project, "os_exit.py").text == "on\n"
    assert record_of(project, "raises.py").text.endswith("ValueError: wrong size\n")
    assert record_of(project, "megabyte.py").text.endswith("xxx\n")
    assert len(record_of(project, "megabyte.py").text) <= 256 * 2**10


def test_output_of_the_fine_ones(project: Project, outcomes: dict[str, SnippetOutcome]) -> None:
    assert "ZeroDivisionError: division by zero" in record_of(project, "prints_traceback.py").text
    assert record_of(project, "expected.py").raised == "ValueError: size"
    assert record_of(project, "exits_zero_in_child.py").text == "parent\n"
    assert record_of(project, "idle_executor.py").text == "32\n"
    assert record_of(project, "thread_at_end.py").text == "main\nlate\n"
    assert record_of(project, "closed_stdout.py").text == "before\n"
    assert record_of(project, "spawns_workers.py").text == "[4, 9]\n"
    values = record_of(project, "big_values.py").values
    assert values["small"] == 7 and "huge" not in values


def test_no_process_is_left(project: Project, outcomes: dict[str, SnippetOutcome]) -> None:
    deadline = time.monotonic() + 60
    while (left := _left_behind(project)) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert left == []


def _left_behind(project: Project) -> list[list[str]]:
    """The command lines of the snippets' sleepers and of this project's pools: other tests have pools of their own."""
    lines = [p.info["cmdline"] or [] for p in psutil.process_iter(["cmdline"]) if p.status() != psutil.STATUS_ZOMBIE]
    return [line for line in lines if line[-1:] in (["987"], ["986"]) or str(project.cache) in line]


def test_no_folder_of_a_run_is_left(project: Project, outcomes: dict[str, SnippetOutcome]) -> None:
    assert list((project.cache / "runs").iterdir()) == []


def test_missing_snippet_names_a_similar_one(project: Project) -> None:
    [outcome] = run_snippets(project, ["goods.py"])
    assert outcome.how == "failed"
    assert outcome.failure.message == "snippets/goods.py: no such file; did you mean good.py?"


def test_no_compiler(project: Project, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    needs = "# /// lesson\n# needs = ['compiler']\n# ///\nprint('compiled')\n"
    alone = write_project(tmp_path / "p", {"snippets/c.py": needs, "snippets/good.py": GOOD})
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("CXX", raising=False)
    outcomes = {outcome.name: outcome for outcome in run_snippets(alone, alone.snippet_names(), fork=False)}
    assert outcomes["c.py"].how == "skipped"
    assert "install g++, or clang and libomp" in outcomes["c.py"].reason
    assert outcomes["good.py"].how == "fresh"


def test_compiler_that_does_not_work(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    broken = tmp_path / "bin" / "g++"
    broken.parent.mkdir()
    broken.write_text("#!/bin/sh\necho broken compiler >&2\nexit 1\n")
    broken.chmod(0o755)
    code = (
        "# /// lesson\n# needs = ['compiler']\n# ///\nimport torch\n\n\n"
        "@torch.compile\ndef f(x):\n    return x + 1\n\n\nf(torch.ones(3))\n"
    )
    alone = write_project(tmp_path / "p", {"snippets/c.py": code, "snippets/good.py": GOOD})
    monkeypatch.setenv("PATH", f"{broken.parent}:{os.environ['PATH']}")
    monkeypatch.delenv("CXX", raising=False)
    outcomes = {outcome.name: outcome for outcome in run_snippets(alone, alone.snippet_names())}
    assert outcomes["good.py"].how == "fresh"
    assert outcomes["c.py"].how == "failed"
    assert outcomes["c.py"].failure.line == 12


def test_cache_below_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from compile_lessons.course.records.store import StoreError

    (tmp_path / "file").write_text("")
    monkeypatch.setenv("COMPILE_LESSONS_CACHE", str(tmp_path / "file" / "cache"))
    project = Project(write_project(tmp_path / "p", {"snippets/good.py": GOOD}).root)
    with pytest.raises(StoreError, match=r"cannot write .*file/cache.*COMPILE_LESSONS_CACHE"):
        run_snippets(project, ["good.py"], fork=False)


def test_disk_full_while_storing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A record that cannot be written fails its snippet; the next one, for which there is room, is kept."""
    import errno

    project = write_project(tmp_path, {"snippets/a.py": GOOD, "snippets/b.py": GOOD})
    replace, calls = os.replace, []

    def full_once(source: Path, target: Path) -> None:
        calls.append(target)
        if len(calls) == 1:
            raise OSError(errno.ENOSPC, "No space left on device")
        replace(source, target)

    monkeypatch.setattr("compile_lessons.ground.files.os.replace", full_once)
    outcomes = run_snippets(project, ["a.py", "b.py"], fork=False)
    failed = [outcome for outcome in outcomes if outcome.failure]
    assert len(failed) == 1 and len(outcomes) == 2
    assert "No space left on device. Fix: free space" in failed[0].failure.message
    [kept] = [outcome.name for outcome in outcomes if not outcome.failure]
    assert record_of(project, kept).text == "good\n"
    assert [path.name for path in (project.cache / "records").rglob("*.part")] == []
    assert {outcome.how for outcome in run_snippets(project, ["a.py", "b.py"], fork=False)} == {"fresh", "cached"}


@pytest.fixture
def tiny_disk(tmp_path: Path):
    """A file system of 64 KiB; needs root and mount."""
    import subprocess

    folder = tmp_path / "disk"
    folder.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", str(folder)]
    if subprocess.run(command, capture_output=True).returncode:
        pytest.skip("mounting a small file system needs root and the right to mount")
    yield folder
    subprocess.run(["umount", "--lazy", str(folder)], check=True)


def test_full_disk(tmp_path: Path, tiny_disk: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = {"snippets/a.py": "print('x' * 200_000)\n", "snippets/b.py": GOOD}
    root = write_project(tmp_path / "p", files).root
    monkeypatch.setenv("COMPILE_LESSONS_CACHE", str(tiny_disk))
    project = Project(root)
    outcomes = {outcome.name: outcome for outcome in run_snippets(project, ["a.py", "b.py"], fork=False)}
    assert outcomes["a.py"].how == "failed"
    failure = outcomes["a.py"].failure
    assert "cannot write" in failure.message or "could not be written" in failure.message
    assert "COMPILE_LESSONS_CACHE" in failure.message + failure.remedy
    assert {o.how for o in run_snippets(project, ["b.py"], fork=False)} <= {"fresh", "cached"}
    assert Store(project).get("0" * 64) is None

"""A snippet runs as its reader would run it, and all it puts out is recorded, whatever ran before it."""

import os
import queue
import re
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from compile_lessons.course.records import runner
from compile_lessons.course.records.executor import Inbox
from compile_lessons.course.records.plan import Plan, plan
from compile_lessons.course.records.progress import Request
from compile_lessons.course.records.record import Record
from compile_lessons.course.records.runner import SnippetOutcome, Waiting, run_snippets
from compile_lessons.course.records.scrub import scrub
from compile_lessons.course.records.store import Store
from compile_lessons.ground.project import Project
from compile_lessons.runs.pool import CAN_FORK
from compile_lessons.show.table import Table
from projects import record_of, write_project

COMPILER = "# /// lesson\n# needs = ['compiler']\n# ///\n"

SNIPPETS = {
    "as_file.py": """
import inspect
import os
import sys

from _helper import double


def needs_source(fn):
    return inspect.getsource(fn)


@needs_source
def kernel(x):
    return x + 1


print(kernel)
print(__name__, os.path.basename(__file__), os.path.isabs(__file__), sys.argv, __spec__, __doc__)
print(os.path.basename(sys.path[0]), os.getcwd() == os.path.dirname(os.path.dirname(__file__)), double(4))
try:
    import docs.module
except ImportError as error:
    print(error)
print(inspect.getsourcefile(eval("lambda: 0")))  # None in a module without a loader
answer, name, share, yes, _hidden, long = 42, "n", 0.5, True, 1, "x" * 1000
items = [1]
""",
    "_helper.py": "def double(x):\n    return 2 * x\n",
    "order.py": """
import ctypes
import os
import subprocess
import sys

from compile_lessons import Table, show

libc = ctypes.CDLL(None)
print("1 print")
libc.printf(b"2 printf\\n")
print("3 stderr", file=sys.stderr)
os.write(1, b"4 write\\n")
subprocess.run(["echo", "5 echo"])
show(Table(["a"], [[6]]))
libc.puts(b"7 puts")
subprocess.run([sys.executable, "-c", "import os; print(8); os.write(2, b'9\\\\n'); print(10)"])
show("11 plain")
show(Table(["b"], [[12]]))
print("13")
""",
    "warns.py": 'import warnings\n\nwarnings.warn("be careful")\n',
    "memory.py": "import time\n\nblock = bytearray(300 * 2**20)\ntime.sleep(0.4)\n",
    "fails_deep.py": """
# region inner
def inner(x):
    return x["key"]


# endregion
def outer(x):
    try:
        return inner(x)
    except KeyError as error:
        raise RuntimeError("outer failed") from error


outer({})
""",
    "syntax.py": "x = (1,\ny = 2\n",
    "note.py": "error = ValueError('text')\nerror.add_note('a note')\nraise error\n",
    "exit_text.py": "import sys\n\nsys.exit('a reason')\n",
    "prints_stack.py": "import traceback\n\n\ndef f():\n    traceback.print_stack()\n\n\nf()\n",
    "env.py": """# /// lesson
# env = {TORCH_LOGS = "graph_breaks", GREETING = "hello you"}
# ///
import os

import torch

print(os.environ["GREETING"])


@torch.compile(backend="eager")
def f(x):
    x = x + 1
    print("break")
    return x * 2


f(torch.ones(2))
""",
    "env_logs.py": """# /// lesson
# env = {TORCH_LOGS = "graph_breaks,guards", TORCH_LOGS_FORMAT = "%(levelname)s: %(message)s"}
# ///
import torch


@torch.compile(backend="eager")
def f(x):
    torch._dynamo.graph_break()
    return x * 2


f(torch.ones(2))
""",
    "logs.py": """
import torch

torch._logging.set_logs(graph_breaks=True, recompiles=True, guards=True)


@torch.compile(backend="eager")
def f(x):
    x = x + 1
    torch._dynamo.graph_break()
    return x * 2


f(torch.ones(2))
f(torch.ones(3))
""",
    "counts.py": """
import torch
from torch._dynamo.utils import counters

frames = []


def backend(gm, inputs):
    frames.append(str(torch._guards.CompileContext.current_compile_id()))
    print(gm.code)
    return gm


@torch.compile(backend=backend)
def f(x):
    y = x.sin()
    torch._dynamo.graph_break()
    return y.cos()


f(torch.ones(2))
print(frames, dict(counters["stats"]), sorted(counters["frames"].items()))
code = f.__wrapped__.__code__ if hasattr(f, "__wrapped__") else None
print(code is not None and code.co_name)
""",
    "inductor.py": COMPILER
    + """
import torch
from torch._dynamo.utils import counters
from torch._inductor.utils import run_and_get_code


@torch.compile
def f(x):
    return (x.sin() + 1).sum(0)


x = torch.ones(64, 8, requires_grad=True)
y, (code,) = run_and_get_code(f, x)
print(code)
y.sum().backward()
correct = bool(torch.allclose(x.grad, torch.ones(64, 8).cos()))
print(sorted((k, v) for k, v in counters["inductor"].items() if "cache" in k))
misses = counters["inductor"]["fxgraph_cache_miss"]
hits = counters["inductor"]["fxgraph_cache_hit"]
""",
}


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory, share_compiled: Callable[[Project], None]) -> Project:
    root = tmp_path_factory.mktemp("runner")
    project = write_project(root, {f"snippets/{name}": source for name, source in SNIPPETS.items()})
    share_compiled(project)
    _note_objects(project)
    return project


@pytest.fixture(scope="module")
def forked(project: Project) -> dict[str, Record]:
    """The first run: forks, in the order of their names."""
    return _run(project, project.snippet_names(), fork=True)


@pytest.fixture(scope="module")
def spawned(project: Project, forked: dict[str, Record]) -> dict[str, Record]:
    """The second run of the same: fresh interpreters, in the opposite order. env.py has never been forked."""
    return _run(project, [name for name in reversed(project.snippet_names()) if name != "env.py"], fork=False)


_objects: dict[Path, list[dict[Path, int]]] = {}  # the compiled objects of a project, before and after each run


def _run(project: Project, names: list[str], fork: bool) -> dict[str, Record]:
    run_snippets(project, names, force=True, fork=fork)
    _note_objects(project)
    return {name: record_of(project, name) for name in names}


def _note_objects(project: Project) -> None:
    _objects.setdefault(project.root, []).append(
        {path: path.stat().st_ino for path in (project.cache / "objects").rglob("*.so")}
    )


def test_runs_as_a_file(forked: dict[str, Record]) -> None:
    lines = forked["as_file.py"].text.splitlines()
    assert lines[:3] == ["@needs_source", "def kernel(x):", "    return x + 1"]
    assert lines[4] == "__main__ as_file.py True ['snippets/as_file.py'] None None"
    assert lines[5] == "snippets True 8"
    assert lines[6:8] == ["No module named 'docs'", "<string>"]


def test_values(forked: dict[str, Record]) -> None:
    values = forked["as_file.py"].values
    assert values == {"answer": 42, "name": "n", "share": 0.5, "yes": True, "kernel": values["kernel"]}


def test_all_output_in_order(forked: dict[str, Record]) -> None:
    outputs = forked["order.py"].outputs
    assert [word for word in forked["order.py"].text.split() if word.isdigit()] == [str(n) for n in range(1, 14)]
    rich = [output for output in outputs if output.rich]
    assert [output.text.split()[-1] for output in rich] == ["6", "12"]
    assert all(len(Table.from_json(output.rich[Table.MIME]).rows) == 1 for output in rich)


def test_warnings(forked: dict[str, Record]) -> None:
    record = forked["warns.py"]
    assert record.warnings == ["UserWarning: be careful"]
    assert record.text.startswith("snippets/warns.py:3: UserWarning: be careful\n")


def test_duration_and_memory(forked: dict[str, Record]) -> None:
    record = forked["memory.py"]
    assert 0.4 <= record.duration < 60
    assert record.peak_memory > 300 * 2**20
    assert forked["warns.py"].peak_memory < record.peak_memory


def test_provenance(forked: dict[str, Record]) -> None:
    import torch

    record = forked["env.py"]
    assert record.command == "TORCH_LOGS=graph_breaks GREETING='hello you' python snippets/env.py"
    assert (record.torch, record.python) == (torch.__version__, sys.version.split()[0])
    assert (record.device, record.caches) == ("cpu", "empty")


def test_declared_environment_takes_effect(forked: dict[str, Record]) -> None:
    text = forked["env.py"].text
    assert text.startswith("hello you\n")
    assert "[__graph_breaks]" in text and "snippets/env.py" in text


@pytest.mark.parametrize("variable", ["TORCH_LOGS", "CI"])  # pytest and Inductor do other things in CI
def test_shells_variables_do_not(
    variable: str, project: Project, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv(variable, "+dynamo")
    shown = f"import os\n\nprint(os.environ.get({variable!r}))\n"
    alone = write_project(tmp_path, {"snippets/a.py": shown})
    assert _run(alone, ["a.py"], fork=False)["a.py"].text == "None\n"


def test_stacks_hold_no_frame_of_ours(forked: dict[str, Record], spawned: dict[str, Record]) -> None:
    names = ("logs.py", "prints_stack.py", "fails_deep.py")
    for record in (forked["env.py"], *(records[name] for records in (forked, spawned) for name in names)):
        assert "compile_lessons" not in record.text, record.snippet
        assert "runpy" not in record.text, record.snippet


@pytest.mark.parametrize("name", sorted(set(SNIPPETS) - {"_helper.py", "env.py"}))
def test_neither_order_nor_fork_changes_the_output(
    forked: dict[str, Record], spawned: dict[str, Record], name: str
) -> None:
    assert _no_times(forked[name].text) == _no_times(spawned[name].text)
    assert forked[name].values == spawned[name].values
    assert forked[name].warnings == spawned[name].warnings
    assert forked[name].failure == spawned[name].failure


@pytest.mark.parametrize(
    "name", ["fails_deep.py", "syntax.py", "note.py", "exit_text.py", "warns.py", "prints_stack.py", "logs.py"]
)
def test_text_is_what_a_terminal_shows(project: Project, forked: dict[str, Record], name: str) -> None:
    process = subprocess.run(
        [sys.executable, f"snippets/{name}"],
        cwd=project.root,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"},
    )
    assert process.stdout
    assert _no_times(forked[name].text) == _no_times(scrub(process.stdout, project.root, project.cache))


def _no_times(text: str) -> str:
    return re.sub(r"\d+\.\d+ us", "… us", text)


def test_compiler_caches_start_empty(forked: dict[str, Record], spawned: dict[str, Record]) -> None:
    for records in (forked, spawned):
        assert records["inductor.py"].values["misses"] == 2, "forward and backward"
        assert records["inductor.py"].values["hits"] == 0
        assert records["inductor.py"].values["correct"], "threads of autograd work in a fork too"


def test_compiled_objects_are_used_again(project: Project, spawned: dict[str, Record]) -> None:
    """The second run finds those of the first and compiles nothing new."""
    before, first, second = _objects[project.root][:3]
    assert len(first) - len(before) >= 2
    assert second == first


def test_a_current_record_is_kept(project: Project, spawned: dict[str, Record]) -> None:
    fine = ["as_file.py", "order.py", "warns.py"]
    assert [outcome.how for outcome in run_snippets(project, fine)] == ["cached"] * 3
    assert [outcome.how for outcome in run_snippets(project, ["note.py"], fork=False)] == ["failed"], (
        "a failed one runs again"
    )


def test_a_snippet_named_twice_runs_once(project: Project) -> None:
    assert len(run_snippets(project, ["warns.py", "warns.py"], fork=False, force=True)) == 1


VERIFIED = {
    "same.py": "print('same')\nx = 1\n",
    "nan.py": "x = float('nan')\n",
    "differs.py": "import os\n\nprint('fine')\nprint(f'number {os.urandom(4).hex()}')\n",
    "declared.py": "# /// lesson\n# varies.output = ['number \\w+']\n# ///\nimport os\n\n"
    "print(f'number {os.urandom(4).hex()}')\n",
    "longer.py": "import os\n\nfor _ in range(int.from_bytes(os.urandom(2))):\n    print(1)\n",
    "value.py": "import os\n\nx = os.urandom(4).hex()\n",
    "declared_value.py": "# /// lesson\n# varies.values = ['x']\n# ///\nimport os\n\nx = os.urandom(4).hex()\n",
    "hash_order.py": "print({'a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j', 'k'})\n",
    "unimported.py": "import sys\n\nprint('torch' in sys.modules)\n",
}


@pytest.fixture(scope="module")
def verified(tmp_path_factory: pytest.TempPathFactory) -> tuple[Project, dict[str, str]]:
    """Failures of a verifying run by name; empty for none."""
    files = {f"snippets/{name}": source for name, source in VERIFIED.items()}
    project = write_project(tmp_path_factory.mktemp("verified"), files)
    outcomes = run_snippets(project, project.snippet_names(), verify=True)
    return project, {o.name: o.failure.message if o.failure else "" for o in outcomes}


def test_verify_finds_undeclared_differences(verified: tuple[Project, dict[str, str]]) -> None:
    _, failures = verified
    assert failures["differs.py"].startswith("a second run differed: line 2 of the output was 'number ")
    assert " lines of output, then " in failures["longer.py"]
    assert failures["value.py"].startswith("a second run differed: the value x was ")
    assert failures["hash_order.py"].startswith("a second run differed: line 1 of the output was ")
    assert failures["unimported.py"].startswith("a second run differed: line 1 of the output was ")


@pytest.mark.parametrize("name", ["same.py", "nan.py", "declared.py", "declared_value.py"])
def test_verify_accepts_the_rest_and_remembers(verified: tuple[Project, dict[str, str]], name: str) -> None:
    project, failures = verified
    assert failures[name] == ""
    record = record_of(project, name)
    assert record.verified
    assert record.varies == name.startswith("declared")
    assert [outcome.how for outcome in run_snippets(project, [name], verify=True, fork=False)] == ["cached"]


def test_an_unverified_record_is_verified(tmp_path: Path) -> None:
    project = write_project(tmp_path, {"snippets/a.py": "print(1)\n"})
    run_snippets(project, ["a.py"], fork=False)
    assert not record_of(project, "a.py").verified
    assert [outcome.how for outcome in run_snippets(project, ["a.py"], verify=True, fork=False)] == ["fresh"]
    assert record_of(project, "a.py").verified


def test_an_edited_helper_runs_its_snippets_and_no_others(tmp_path: Path) -> None:
    files = {
        "snippets/part/uses.py": "import _shared\n\nprint(_shared.VALUE)\n",
        "snippets/part/does_not.py": "print(2)\n",
        "snippets/part/_shared.py": "VALUE = 1\n",
    }
    project = write_project(tmp_path, files)
    ran: list[str] = []
    run_snippets(project, project.snippet_names(), fork=False, on_start=ran.append)
    assert sorted(ran) == ["part/does_not.py", "part/uses.py"]
    ran.clear()
    (project.snippets / "part/_shared.py").write_text("VALUE = 10\n")
    run_snippets(project, project.snippet_names(), fork=False, on_start=ran.append)
    assert ran == ["part/uses.py"]
    assert record_of(project, "part/uses.py").text == "10\n"
    assert len(list(Store(project).folder.rglob("*.json"))) == 3


def test_a_snippet_that_is_edited_while_it_runs_runs_again(tmp_path: Path) -> None:
    project = write_project(tmp_path, {"snippets/a.py": "print(1)\n", "snippets/b.py": "print(2)\n"})
    ran: list[str] = []

    def edit_once(name: str) -> None:
        ran.append(name)
        if ran.count("a.py") == 1:
            (project.snippets / "a.py").write_text("print(10)\n")

    outcomes = run_snippets(project, ["a.py", "b.py"], fork=False, on_start=edit_once)
    assert sorted(ran) == ["a.py", "a.py", "b.py"] and len(outcomes) == 2
    assert record_of(project, "a.py").text == "10\n"
    assert len(list(Store(project).folder.rglob("*.json"))) == 2, "nothing is kept under the key of the old text"


def _request(project: Project, names: str, first: bool = False) -> Request:
    """A request for ``a.py`` and ``b.py``, from ``ab``."""
    return Request({f"{name}.py": plan(project, f"{name}.py").key for name in names}, first)


def _serve(
    project: Project, requests: list[Request], on_start: Callable[[str, Inbox], None] = lambda name, inbox: None
) -> str:
    """Run what a server asks for, one at a time, until ``z.py`` has ended. Returns the snippets as they ended."""
    inbox: Inbox = queue.SimpleQueue()
    for request in requests:
        inbox.put(request)
    ended: list[str] = []

    def done(outcome: SnippetOutcome) -> None:
        ended.append(outcome.name[0])
        if outcome.name == "z.py":
            inbox.put(None)

    start = partial(on_start, inbox=inbox)
    run_snippets(project, [], fork=False, requests=inbox, on_start=start, on_outcome=done)
    return "".join(ended)


def test_what_a_reader_waits_for_runs_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runner, "available_cores", lambda: 1)
    project = write_project(tmp_path, {f"snippets/{name}.py": "print(1)\n" for name in "abcz"})
    requests = [_request(project, "abcz"), _request(project, "cb", first=True), _request(project, "a")]
    assert _serve(project, requests) == "acbz", "a.py runs already"


def test_an_edited_snippet_waits_for_no_other_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runner, "available_cores", lambda: 1)
    waits = "import os, time\n\nwhile not os.path.exists('edited'):\n    time.sleep(0.01)\n"
    project = write_project(tmp_path, {"snippets/a.py": "print(1)\n", "snippets/b.py": waits, "snippets/z.py": "1\n"})

    def edit(name: str, inbox: Inbox) -> None:
        if name == "b.py":
            (project.snippets / "a.py").write_text("open('edited', 'w')\n")
            inbox.put(_request(project, "a"))

    ended = _serve(project, [_request(project, "abz")], edit)
    assert sorted(ended) == ["a", "a", "b", "z"]
    assert record_of(project, "b.py").failure is None, "it ends once the edited a.py has begun"


def test_the_order_of_what_waits(tmp_path: Path) -> None:
    project = write_project(tmp_path, {f"snippets/{name}.py": "" for name in "abcd"})

    def plans(names: list[str]) -> list[Plan]:
        return [plan(project, name) for name in names]

    waiting = Waiting(plans(["a.py", "b.py"]))
    for names, first in (("bc", False), ("d", True), ("ba", True)):
        waiting.add(_request(project, names, first), plans, under_way=set())
    assert "".join(item.snippet.name[0] for item in waiting.plans) == "badc"
    assert waiting.take(0) is None and waiting.take(1).snippet.name == "b.py"
    (project.snippets / "c.py").write_text("print('edited')\n")
    waiting.add(_request(project, "c"), plans, under_way=set())
    assert waiting.take(-1) is None and waiting.take(0).snippet.code == "print('edited')\n"
    assert "".join(item.snippet.name[0] for item in waiting.plans) == "ad", "the old text doesn't run"


@pytest.fixture(scope="module")
def with_variables(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, Any]]:
    """What snippets with variables that torch reads when it is imported had as values."""
    if not CAN_FORK:
        pytest.skip("each run is a fresh interpreter")
    code = (
        "import os, sys\nloaded, parent = 'torch' in sys.modules, os.getppid()\nbackend = os.getenv('MPLBACKEND', '')\n"
    )
    blocks = dict.fromkeys(("x", "y", "z"), "env = {MPLBACKEND = 'svg'}")
    blocks |= {"a": "", "b": "", "two": "env = {MPLBACKEND = 'pdf'}", "alone": "fork = false"}
    files = {f"snippets/{name}.py": f"# /// lesson\n# {block}\n# ///\n{code}" for name, block in blocks.items()}
    project = write_project(tmp_path_factory.mktemp("variables"), files)
    run_snippets(project, project.snippet_names())
    return {name: record_of(project, f"{name}.py").values for name in blocks}


def test_variables_that_torch_reads_when_it_is_imported(
    with_variables: dict[str, dict[str, Any]],
) -> None:
    """Runs that share such variables fork from a pool that has them; few of them, and ``fork = false``, do not fork."""
    runs = with_variables
    loaded = {name for name, run in runs.items() if run["loaded"]}
    assert loaded == {"a", "b", "x", "y", "z"}
    assert {name: run["backend"] for name, run in runs.items()} == {
        "a": "", "b": "", "alone": "", "x": "svg", "y": "svg", "z": "svg", "two": "pdf"
    }  # fmt: skip
    assert (
        runs["x"]["parent"] == runs["y"]["parent"] == runs["z"]["parent"] != runs["a"]["parent"] == runs["b"]["parent"]
    )

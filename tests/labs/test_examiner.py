"""What people's code does to the process that checks it, and how it is reported."""

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from compile_lessons.labs.examiner import Examiner
from compile_lessons.labs.lab import Lab, LabError, holes
from compile_lessons.labs.report import LabReport

TOML = """
title = "Twice"
number = 1
track = "first steps"
minutes = 1
lessons = ["dynamo/guards"]
hints = ["Multiply."]
question = "Why?"
answer = "So."
timeout = 4.0
memory = 6000
env = {}
"""
CHECKS = '''
import torch
from compile_lessons.labs import require

def check_result(work):
    """It doubles."""
    x = torch.randn(3)
    work.same(work.twice(x), 2 * x, "The result of `twice`")

def check_graph(work):
    """There is one graph."""
    pipeline = work.capture(work.twice, until="dynamo")(torch.randn(3))
    require(len(pipeline.graphs) == 1, "more than one graph")
'''
STUB = "import torch\n\n\ndef twice(x): ...\n"


@pytest.fixture
def examine(tmp_path: Path, examiner: Examiner) -> Callable[..., LabReport]:
    folder = tmp_path / "twice"
    folder.mkdir()

    def examine(source: str, **facts: str) -> LabReport:
        toml = TOML
        for name, value in facts.items():
            toml = "\n".join(f"{name} = {value}" if line.startswith(name) else line for line in toml.splitlines())
        for name, text in {"lab.toml": toml, "checks.py": CHECKS, "stub.py": STUB}.items():
            (folder / name).write_text(text)
        mine = tmp_path / "mine"
        mine.mkdir(exist_ok=True)
        (mine / "checks.py").write_text("def check_nothing(work): pass")  # nobody runs it
        (mine / "twice.py").write_text(source)
        return examiner.examine(Lab(folder), mine / "twice.py")

    return examine


def test_a_byte_order_mark_is_no_fault(examine: Callable[..., LabReport]) -> None:
    assert examine("\ufeffdef twice(x):\n    return x + x\n").state == "done"


def test_right(examine: Callable[..., LabReport]) -> None:
    report = examine("def twice(x):\n    return x + x\n")
    assert (report.state, report.passed) == ("done", ["check_result", "check_graph"])


def test_code_that_asks_whether_it_is_compiled_may_be_right(examine: Callable[..., LabReport]) -> None:
    source = "import torch\ndef twice(x):\n    if not torch.compiler.is_compiling():\n        assert x.numel() < 9\n"
    assert examine(f"{source}    return 2 * x\n").state == "done"


def test_the_process_that_stays_has_the_variables_of_the_lab(tmp_path: Path) -> None:
    started = []

    class NotLoaded(Examiner):
        def _start(self) -> subprocess.Popen[bytes]:
            started.append(self._env)
            return subprocess.Popen(["cat"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    with NotLoaded(warm=True) as examiner:
        for env in ('{A_SETTING = "1"}', '{A_SETTING = "1"}', "{}"):
            (tmp_path / "lab.toml").write_text(TOML.replace("env = {}", f"env = {env}"))
            examiner.prepare(Lab(tmp_path))
    assert started == [{"A_SETTING": "1"}, {}]


@pytest.mark.parametrize("source", [STUB, f'"""My notes."""\n# and a comment\n{STUB}'])
def test_the_stub_needs_no_process(examine: Callable[..., LabReport], source: str) -> None:
    assert examine(source).state == "not done yet"


def test_a_hole_that_is_left(examine: Callable[..., LabReport]) -> None:
    report = examine("def helper(x): return 2 * x\n\n\ndef twice(x):\n    ...\n")
    assert report.state == "not done yet" and report.message == "`twice` still has its `...`: replace it"


@pytest.mark.parametrize(
    ("source", "message", "line"),
    [
        ("def twice(x):\n    return x.doubled()\n", "no attribute 'doubled'", "line 2, in twice: return x.doubled()"),
        ("import torch\nraise ValueError('at once')\n", "ValueError: at once", "line 2, in <module>: raise ValueError"),
        ("def twice(x)\n    return 2 * x\n", "SyntaxError: expected ':'", "line 1: def twice(x)"),
        ("def twice(x):\n    raise SystemExit(3)\n", "SystemExit: 3", "line 2, in twice: raise SystemExit(3)"),
        ("def twice(x):\n    return 2 * x + y\n", "NameError: name 'y'", "line 2, in twice: return 2 * x + y"),
        (
            "class Odd(Exception):\n    def __str__(self): return self.text\ndef twice(x):\n    raise Odd\n",
            "Odd: (its __str__ raised AttributeError)",
            "line 4, in twice: raise Odd",
        ),
    ],
)
def test_what_the_learners_code_raises_is_theirs(
    examine: Callable[..., LabReport], source: str, message: str, line: str
) -> None:
    report = examine(source)
    assert report.state == "raised" and message in report.message and not report.ours, report
    assert report.trace and report.trace[-1].startswith(line)


def test_what_it_prints_is_theirs(examine: Callable[..., LabReport]) -> None:
    report = examine("import os\nprint('hello')\nos.system('echo from a process')\ndef twice(x): return 3 * x\n")
    assert report.printed == "hello\nfrom a process\n" and report.state == "wrong"


@pytest.mark.parametrize(
    ("source", "facts", "message", "line"),
    [
        ("def twice(x):\n    while True:\n        x = x + 1\n", {"timeout": "1"}, "1 s of processor time", "line "),
        ("import time\ndef twice(x):\n    time.sleep(99)\n", {"timeout": "1"}, "still waiting after 1 s", "line 3"),
        (
            "import os, time\nfor _ in range(5):\n    os.fork()\ntime.sleep(60)\n",
            {"memory": "800", "timeout": "60"},
            "with the processes that it started; the limit of this lab is 800 MiB",
            "line ",
        ),
        ("import ctypes\ndef twice(x):\n    ctypes.string_at(0)\n", {}, "died of SIGSEGV", "line 3: ctypes.string_at"),
        ("import os\ndef twice(x):\n    os._exit(0)\n", {}, "ended with status 0 before the checks did", ""),
        (
            "b = []\ndef twice(x):\n    while True: b.append(bytearray(2**24))\n",
            {"memory": "1000", "timeout": "60"},
            "It used ",
            "line",
        ),
        (
            "def twice(x):\n    while True: print('x' * 2**20)\n",
            {"timeout": "60"},
            "printed more than 16 MiB",
            "line 2",
        ),
    ],
    ids=["endless loop", "sleep", "fork bomb", "segfault", "exit", "memory", "output"],
)
def test_code_that_does_not_end_well(
    examine: Callable[..., LabReport], source: str, facts: dict[str, str], message: str, line: str
) -> None:
    report = examine(source, **facts)
    assert report.state == "ended" and message in report.message, report
    assert "".join(report.trace).startswith(line)


@pytest.mark.parametrize(
    "patch",
    [
        "import compile_lessons.labs.wrong as ours\nours.require = print",
        "import compile_lessons.labs.work as ours\nours.Work.same = print\nours.capture = print",
        "import torch\ntorch.compile = lambda fn, **options: fn",
        "import sys\nsys.modules['_checks'].check_result = print",
        "import sys\nfor name in ('check_result', 'check_graph'):\n"
        "    getattr(sys.modules['_checks'], name).__code__ = (lambda work: None).__code__",
        "import compile_lessons.labs.work as ours\nours.Work.same = print",
        "import compile_lessons.labs.work as ours\nours.Work.same.__code__ = (lambda self, *_: None).__code__",
        "import torch\ntorch.testing.assert_close = print",
    ],
)
def test_checks_that_the_answer_replaces(examine: Callable[..., LabReport], patch: str) -> None:
    report = examine(f"{patch}\ndef twice(x): return x\n")
    assert report.state == "wrong" and "Your file replaces `" in report.message, report


FORGED = """
import json, os, pathlib
forged = json.dumps({"state": "done", "passed": ["check_result", "check_graph"]})
for name, value in os.environ.items():
    if name.startswith("COMPILE_LESSONS_"):
        for path in (pathlib.Path(value), pathlib.Path(value, "report.json"), pathlib.Path(value, "reports")):
            if path.parent.is_dir() and not path.is_dir() and path.suffix != ".py":
                path.write_text(forged)
"""


def test_a_report_that_the_answer_writes_is_not_read(examine: Callable[..., LabReport]) -> None:
    report = examine(f"{FORGED}\nos._exit(0)\n")
    assert report.state == "ended" and "status 0 before the checks did" in report.message, report


EXAM = "import sys\nframe = sys._getframe()\nwhile frame.f_code.co_name != 'main': frame = frame.f_back\n"
CHEATS = {
    "a report to every descriptor": """
import os
for number in range(3, 100):
    try:
        os.write(number, b'{"state": "done", "passed": ["check_result", "check_graph"]}\\n')
    except OSError:
        pass
os._exit(0)
""",
    "the report of the frame": f"{EXAM}report = frame.f_locals['report']\nreport.state = 'done'\n"
    "report.passed += ['check_result', 'check_graph']\nimport os\n"
    "frame.f_globals['_write'](b'{\"state\": \"done\"}', frame.f_locals['reports'])\nos._exit(0)\n",
    "no check is left": f"{EXAM}own = frame.f_locals['own']\ngetattr(own, 'clear', print)()\n",
    "another encoder": 'import msgspec\ndone = b\'{"state": "done", "passed": ["check_result", "check_graph"]}\'\n'
    "msgspec.json.encode = lambda report: done\n",
    "nobody looks at changes": f"{EXAM}frame.f_globals['_refuse_changes'] = print\n"
    "import compile_lessons.labs.work as ours\nours.Work.same = ours.require = print\n",
}


@pytest.mark.parametrize("cheat", CHEATS)
def test_a_cheat_is_not_done(examine: Callable[..., LabReport], cheat: str) -> None:
    report = examine(f"{CHEATS[cheat]}\ndef twice(x): return x\n")
    assert report.state in ("wrong", "ended"), report


def test_an_answer_that_changes_its_main_module_is_checked(examine: Callable[..., LabReport]) -> None:
    source = "import __main__\n__main__._refuse_changes = __main__._write = print\ndef twice(x): return x\n"
    assert examine(source).failed == "check_result"


JUNK = """
import contextlib, os

def twice(x):
    for number in range(3, 100):
        with contextlib.suppress(OSError):
            os.write(number, JUNK)
    return 3 * x
"""


@pytest.mark.parametrize("junk", ["b'junk'", "b'\\xff'", "b'[' * 100_000", "b'{}'"])
def test_a_report_that_something_was_written_into_is_not_done(examine: Callable[..., LabReport], junk: str) -> None:
    report = examine(f"{JUNK}\nJUNK = {junk}\n")
    assert report.state == "wrong" and report.message.startswith("The report on your code can't be read"), report


def test_a_report_that_the_answer_closes_is_not_done(examine: Callable[..., LabReport]) -> None:
    report = examine("import os\nos.closerange(3, 1000)\ndef twice(x): return 2 * x\n")
    assert report.state == "ended" and "before the checks did" in report.message and "Traceback" not in report.printed


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("torch.compiler.set_stance('force_eager')", "set_stance"),
        ("import torch._dynamo\ntorch._dynamo.config.disable = True", "_dynamo.config.disable"),
        ("import torch._dynamo\ntorch._dynamo.config.suppress_errors = True", "suppress_errors"),
        ("twice = torch.compiler.disable(twice)", "wrapped by `torch.compiler.disable`"),
        ("twice = torch.compile(twice, backend='eager', fullgraph=False)", "already compiled"),
        ("real = twice\ndef twice(x): return torch.compiler.disable(real)(x) * 1", "calls a function with"),
        ("def twice(x): return torch.full((3,), 2.0)", "draws new"),
        (
            "def twice(y):\n    for _ in [1]: print(y)\n    return 2 * y",
            "a graph break that leaves all of it in eager mode",
        ),
        ("def twice(x): return x if torch.compiler.is_compiling() else 2 * x", "asks `torch.compiler.is_compiling()`"),
        ("class Twice:\n    def __call__(self, x): return len(x)\ntwice = Twice()", "is of type int, not Tensor: 3"),
    ],
)
def test_what_people_try_instead(examine: Callable[..., LabReport], source: str, message: str) -> None:
    report = examine(f"import torch\ndef twice(x): return 2 * x\n{source}\n")
    assert report.state == "wrong" and message in report.message, report


def test_a_name_that_is_gone_and_a_file_that_is_not_there(examine: Callable[..., LabReport], tmp_path: Path) -> None:
    assert "no `twice` any more" in examine("def double(x): return 2 * x\n").message
    lab = Lab(tmp_path / "twice")
    with pytest.raises(LabError, match=r"nowhere\.py. Fix: compile-lessons lab start 1"):
        Examiner().examine(lab, tmp_path / "nowhere.py")


def test_what_lacks_a_compiler_says_so(examine: Callable[..., LabReport], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CXX", "no-such-compiler")
    report = examine("def twice(x): return 2 * x\n", lessons='["dynamo/guards"]\nneeds = ["compiler"]')
    assert report.state == "needs" and "install g++" in report.message


def test_holes() -> None:
    source = (
        "A = ...\nB = {'x': ...}\ndef f(): ...\ndef g(x): return x[..., 0]\nclass C:\n    def m(self): return ...\n"
    )
    assert holes(source) == {"A", "B", "f", "C"}

"""No process outlives the one that started it, however that ends; and what a process is told to have used."""

import ast
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from compile_lessons.ground import processes
from compile_lessons.ground.processes import Usage

PACKAGE = Path(processes.__file__).parents[1]

#: A process that starts another one, prints the other's number, and then does nothing.
FORKS = """
import os, time
from compile_lessons.ground.processes import fork
pid = fork()
if pid:
    print(pid, flush=True)
while True:
    time.sleep(60 if pid else 0)  # the child is busy
"""
STARTED = """
import signal, subprocess, sys, time
from compile_lessons.ground.processes import end_with_starter, start
def end(*_):
    sys.exit("asked to end")
if sys.argv[1:] == ["again"]:
    signal.signal(signal.SIGTERM, end)
    end_with_starter(NUMBER)
    print("ready", flush=True)
else:
    child = start([sys.executable, __file__, "again"], stdout=subprocess.PIPE)
    assert child.stdout.read(5) == b"ready"
    print(child.pid, flush=True)
while True:
    time.sleep(0.1)  # a signal just before one long sleep would not end that
"""
KILLED, ASKED = STARTED.replace("NUMBER", ""), STARTED.replace("NUMBER", "signal.SIGTERM")


def parent_and_child(source: str, folder: Path) -> tuple[subprocess.Popen[str], psutil.Process]:
    file = folder / "starts.py"
    file.write_text(source)
    parent = subprocess.Popen([sys.executable, str(file)], stdout=subprocess.PIPE, text=True)
    assert parent.stdout
    return parent, psutil.Process(int(parent.stdout.readline()))


def ends(process: psutil.Process) -> bool:
    """Whether a process that has no parent here ends: it is gone, or a zombie until someone collects it."""
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        if not process.is_running() or process.status() == psutil.STATUS_ZOMBIE:
            return True
        time.sleep(0.05)
    return False


#: A process that starts a program that knows nothing of it.
PROGRAM = """
import time
from compile_lessons.ground.processes import start_program
print(start_program(["sleep", "60"]).pid, flush=True)
time.sleep(60)
"""


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
@pytest.mark.parametrize("source", [FORKS, PROGRAM, KILLED, ASKED])
def test_a_process_ends_with_its_parent(source: str, number: signal.Signals, tmp_path: Path) -> None:
    parent, child = parent_and_child(source, tmp_path)
    try:
        parent.send_signal(number)
        parent.wait(60)
        assert ends(child)
    finally:
        parent.kill()
        if child.is_running():
            child.kill()


def test_a_parent_that_has_ended_before_is_noticed() -> None:
    """A process that is started just before its parent ends."""
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    code = "from compile_lessons.ground.processes import end_with_starter; end_with_starter(); print('still here')"
    env = {**os.environ, processes._PARENT: str(gone.pid)}
    late = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True)
    assert (late.returncode, late.stdout) == (-signal.SIGKILL, "")


@pytest.mark.parametrize("source", [FORKS, KILLED, ASKED])
def test_the_same_where_the_kernel_does_not_see_to_it(source: str, tmp_path: Path) -> None:
    source = "from compile_lessons.ground import processes\nprocesses._LINUX = False\n" + source
    test_a_process_ends_with_its_parent(source, signal.SIGKILL, tmp_path)


def test_a_process_outlives_the_thread_that_started_it(tmp_path: Path) -> None:
    """Linux signals the end of a thread as that of a parent. A server starts its runs from threads of requests."""
    file = tmp_path / "lives.py"
    file.write_text(ASKED)
    children: list[subprocess.Popen[bytes]] = []

    def begin() -> None:
        child = processes.start([sys.executable, str(file), "again"], stdout=subprocess.PIPE)
        assert child.stdout and child.stdout.readline() == b"ready\n"
        children.append(child)

    thread = threading.Thread(target=begin)
    thread.start()
    thread.join()
    [child] = children
    with pytest.raises(subprocess.TimeoutExpired):
        child.wait(0.5)
    child.kill()
    child.wait()


def test_who_started_a_process_is_not_handed_on() -> None:
    code = "from compile_lessons.ground import processes; processes.end_with_starter()\n"
    code += "import os; print(processes._PARENT in os.environ)"
    child = processes.start([sys.executable, "-c", code], stdout=subprocess.PIPE)
    assert child.communicate()[0] == b"False\n"


def test_nothing_in_the_package_starts_a_process_in_another_way() -> None:
    """A tool that is waited for, such as a disassembler, ends by itself."""

    def calls() -> Iterator[str]:
        for path in PACKAGE.rglob("*.py"):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.Call) and ast.unparse(node.func) in ("os.fork", "subprocess.Popen", "Popen"):
                    yield f"{path.relative_to(PACKAGE)}: {ast.unparse(node.func)}"

    assert sorted(calls()) == ["ground/processes.py: os.fork", *["ground/processes.py: subprocess.Popen"] * 2]


USES = {
    "busy": ("while True: pass", "processor"),
    "asleep": ("import time; time.sleep(60)", "idle"),
    "waiting for a busy child": (
        "import subprocess, sys; subprocess.run([sys.executable, '-c', 'while 1: 0'])",
        "processor",
    ),
    "looking now and then": ("import time\nwhile True: time.sleep(0.05)", "idle"),
}


@pytest.mark.parametrize("name", USES)
def test_what_a_process_uses(name: str) -> None:
    code, over = USES[name]
    process = subprocess.Popen([sys.executable, "-c", code])
    try:
        usage, began = Usage(process.pid), time.monotonic()
        while usage.passed(1.0) is None:
            assert time.monotonic() - began < 300, vars(usage)
            time.sleep(0.2)
        assert usage.passed(1.0) == over
        assert usage.memory > 2**20
    finally:
        for each in processes.family(process.pid):
            each.kill()
        process.wait()


def test_time_that_others_have_the_processor_is_no_time_of_the_process() -> None:
    """Ten processes that are busy share what there is: in the time in which one alone would be over, none is."""
    many = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(10 * (os.cpu_count() or 1))]
    try:
        usage, began = Usage(many[0].pid), time.monotonic()
        while time.monotonic() - began < 3:
            time.sleep(0.2)
            assert usage.passed(2.0) is None
        assert usage.processor < 2 and usage.idle < 1
    finally:
        for process in many:
            process.kill()
            process.wait()


def test_the_usage_of_a_process_that_has_ended() -> None:
    process = subprocess.Popen([sys.executable, "-c", ""])
    usage = Usage(process.pid)
    process.wait()
    usage.look()
    assert usage.processor >= 0 and usage.memory == 0

"""The collector in processes whose torch is a small stand-in, so that they start at once."""

from __future__ import annotations

import functools
import json
import os
import subprocess
import sys
import threading
import time
import types
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from compile_lessons.trace.run import COLLECTOR, environment
from from_file import load_module


def collector() -> ModuleType:
    """The collector as a module of this process, not started."""
    return load_module("collector_here", COLLECTOR / "compile_lessons_collector.py")


def test_this_torch_has_every_hook() -> None:
    module = collector()
    for name in module.HOOKS:
        module._resolve(name)


def test_torch_calls_modules_and_backward_passes_by_the_names_that_are_sampled() -> None:
    import torch

    assert torch.nn.Module.__call__.__name__ == "_wrapped_call_impl"
    assert "_engine_run_backward" in torch.autograd.backward.__code__.co_names


def test_the_logger_of_cuda_graphs_is_torchs() -> None:
    import torch._inductor.cudagraph_utils as utils

    assert utils.cudagraphs_log.name == collector().CUDA_GRAPH_LOG


def test_torchs_cuda_graph_trees_have_the_variables_that_are_read() -> None:
    from torch._inductor.cudagraph_trees import CUDAGraphTreeManager, __file__

    assert __file__.endswith("cudagraph_trees.py")
    code = CUDAGraphTreeManager._run.__code__
    assert {"self", "function_id", "new_inputs", "child_nodes", "status_logger"} <= {*code.co_varnames}


RECORDING = """
def record(collector, frames):
    return collector._recording(frames._getframe(0))

def _run(self, new_inputs, function_id, child_nodes, collector, frames):
    status_logger = lambda: "static input data pointer changed.\\nmore"
    return record(collector, frames)
"""


def test_a_recording_of_a_cuda_graph_is_described_by_torchs_own_variables() -> None:
    """No CUDA graph is recorded without a GPU, so a stand-in has the variables."""
    names: dict[str, Any] = {}
    exec(compile(RECORDING, "/venv/torch/_inductor/cudagraph_trees.py", "exec"), names)
    manager = types.SimpleNamespace(id_to_mode={7: types.SimpleNamespace(name="FORWARD")})
    run = functools.partial(names["_run"], manager, [object(), 12, 3], 7, collector=collector(), frames=sys)
    assert run(child_nodes={7: []}) == {"mode": "FORWARD", "sizes": [12, 3], "again": 0}
    again = run(child_nodes={7: ["graph"]})
    assert (again["again"], again["reason"]) == (1, "static input data pointer changed.\nmore")
    assert collector()._recording(sys._getframe(0)) == {}  # a torch that records elsewhere


@pytest.fixture
def folders(tmp_path: Path) -> tuple[Path, Path]:
    """A folder for the records, and one with a torch that lacks all that the collector watches."""
    records, modules = tmp_path / "records", tmp_path / "modules"
    records.mkdir()
    (modules / "torch" / "_dynamo").mkdir(parents=True)
    (modules / "torch" / "__init__.py").write_text("__version__ = '9.9'\n")
    (modules / "torch" / "_dynamo" / "__init__.py").write_text("loaded = True\n")
    return records, modules


def run(folders: tuple[Path, Path], program: str, *options: str) -> subprocess.CompletedProcess[str]:
    records, modules = folders
    env = environment(records)
    env["PYTHONPATH"] += os.pathsep + str(modules)
    return subprocess.run([sys.executable, *options, "-c", program], env=env, capture_output=True, text=True)


def read(records: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for path in sorted(records.glob("*.jsonl")) for line in path.read_text().splitlines()]


def test_a_torch_without_the_hooks_is_named_and_the_program_runs(folders: tuple[Path, Path]) -> None:
    done = run(folders, "import torch._dynamo; print(torch._dynamo.loaded, type(torch._dynamo.__loader__).__name__)")
    assert (done.returncode, done.stdout, done.stderr) == (0, "True SourceFileLoader\n", "")
    kinds = {record["e"]: record for record in read(folders[0])}
    assert list(kinds) == ["process", "torch", "end"]  # no samples: no module ran
    assert kinds["torch"]["version"] == "9.9"
    assert kinds["torch"]["missing"] == list(collector().HOOKS)


def test_a_library_that_asks_whether_there_is_torch_imports_nothing(folders: tuple[Path, Path]) -> None:
    """As transformers does, before it imports torch."""
    done = run(folders, "import importlib.util; print(importlib.util.find_spec('torch').name); import torch._dynamo")
    assert (done.returncode, done.stdout, done.stderr) == (0, "torch\n", "")
    assert [record["e"] for record in read(folders[0])] == ["process", "torch", "end"]


def test_a_program_without_torch_leaves_nothing(folders: tuple[Path, Path]) -> None:
    done = run(folders, "import sys; print(sys.path[1]); sys.exit(3)")
    assert done.returncode == 3
    assert str(COLLECTOR) not in done.stdout
    assert not list(folders[0].iterdir())


def test_the_users_own_sitecustomize_runs_too(folders: tuple[Path, Path]) -> None:
    (folders[1] / "sitecustomize.py").write_text("import builtins; builtins.mine = 7\n")
    done = run(folders, "import torch, sitecustomize; print(mine, sitecustomize.__file__)")
    assert done.stdout == f"7 {folders[1] / 'sitecustomize.py'}\n", done.stderr
    assert [record["e"] for record in read(folders[0])] == ["process", "end"]


def test_a_forked_process_writes_a_file_of_its_own(folders: tuple[Path, Path]) -> None:
    program = "import os, torch; pid = os.fork(); pid and os.waitpid(pid, 0); pid or os._exit(0)"
    assert run(folders, program).returncode == 0
    processes = [record for record in read(folders[0]) if record["e"] == "process"]
    assert len(list(folders[0].glob("*.jsonl"))) == 2
    assert {record["parent"] for record in processes} & {record["pid"] for record in processes}


def test_no_thread_of_the_collectors_is_there_at_a_fork(folders: tuple[Path, Path]) -> None:
    program = (
        "import os, threading, torch, warnings; warnings.simplefilter('error'); before = threading.active_count()\n"
        "pid = os.fork(); pid or os._exit(0); os.waitpid(pid, 0); print(before, threading.active_count())"
    )
    done = run(folders, program)
    assert (done.stdout, done.stderr) == ("2 2\n", "")


def test_modules_of_a_program_without_torch_compile_are_sampled(folders: tuple[Path, Path], tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(
        "import os, pathlib, sys, torch\n"
        "def _wrapped_call_impl(files):\n"
        "    while not any('samples' in file.read_text() for file in files.iterdir()): pass\n"
        "def step():\n"
        "    _wrapped_call_impl(pathlib.Path(sys.argv[1]))\n"
        "step()\n"
        "os._exit(0)\n"
    )
    run(folders, f"import runpy, sys; sys.argv[1:] = [{str(folders[0])!r}]; runpy.run_path({str(program)!r})")
    samples = [record for record in read(folders[0]) if record["e"] == "samples"][-1]
    assert samples["lines"][0][:3] == [str(program), 5, "step"]
    assert samples["total"] == samples["lines"][0][3]


def test_backward_passes_are_sampled_beside_modules(folders: tuple[Path, Path], tmp_path: Path) -> None:
    """Torch runs the operators of a backward pass without a frame of Python's."""
    program = tmp_path / "program.py"
    program.write_text(
        "import os, pathlib, re, sys, torch\n"
        "def is_written(pattern):\n"
        "    return any(re.search(pattern, file.read_text()) for file in pathlib.Path(sys.argv[1]).iterdir())\n"
        "def _wrapped_call_impl():\n"
        "    while not is_written('samples'): pass\n"
        "def _engine_run_backward():\n"
        "    while is_written('samples') and not is_written('\"backward\":[1-9]'): pass\n"
        "_wrapped_call_impl()\n"
        "_engine_run_backward()\n"
        "os._exit(0)\n"
    )
    run(folders, f"import runpy, sys; sys.argv[1:] = [{str(folders[0])!r}]; runpy.run_path({str(program)!r})")
    samples = [record for record in read(folders[0]) if record["e"] == "samples"][-1]
    assert samples["backward"] == samples["total"] - samples["lines"][0][3] > 0


def test_ranks_come_from_the_environment(folders: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RANK", "3")
    run(folders, "import torch")
    assert read(folders[0])[0]["rank"] == "3"


def test_compile_workers_of_inductor_are_left_alone(folders: tuple[Path, Path], tmp_path: Path) -> None:
    worker = tmp_path / "_inductor" / "compile_worker" / "__main__.py"
    worker.parent.mkdir(parents=True)
    worker.write_text("import torch\n")
    env = environment(folders[0])
    env["PYTHONPATH"] += os.pathsep + str(folders[1])
    subprocess.run([sys.executable, str(worker)], env=env, check=True)
    assert not list(folders[0].iterdir())


class Frame:
    """What the collector reads of a frame."""

    f_globals = {"step": 7}  # noqa: RUF012

    def __init__(self, values: dict[str, Any]) -> None:
        self.f_locals = values


class Layer:
    def __init__(self) -> None:
        self.calls = 3
        self._modules: dict[str, Any] = {}
        self.options = {"keys": [1, 2]}

    @property
    def expensive(self) -> int:
        raise AssertionError("the collector ran code of the user's")


@pytest.mark.parametrize(
    ("guard", "value"),
    [
        ("0/1: self.calls == 2  # self.calls += 1", "3"),
        ("0/1: G['step'] == 6", "7"),
        ("0/1: len(self.options['keys']) == 1", "2"),
        ("0/1: task == 'a'", "'b'"),
        ("0/1: self.expensive == 1", None),
        ("0/1: self.missing == 1", None),
        ("0/1: self.options == 1", None),  # no number or string: it may be large
        ("0/1: tensor 'x' size mismatch at index 0. expected 2, actual 3", None),
        ("0/1: ___check_type_id(L['x'], 94) == 1", None),
    ],
)
def test_the_new_value_of_a_guard_that_failed(guard: str, value: str | None) -> None:
    assert collector()._new_value(guard, Frame({"self": Layer(), "task": "b"})) == value


def frames(*lines: tuple[str, int]) -> str:
    return "".join(f'  File "{file}", line {line}, in forward\n    code\n' for file, line in lines)


def test_lines_that_a_graph_has_many_times_are_noted_with_their_callers() -> None:
    """A loop of 24 steps calls a cell of two operations in line 12 and 13; line 9 is after the loop."""
    module = collector()
    module._torch_folder, module._standard = "/torch/", "/usr/lib/python3.11/"
    loop, cell = ("/work/model.py", 5), ("/work/cell.py", 12)
    node = functools.partial(types.SimpleNamespace, op="call_function")
    step = [
        node(stack_trace=frames(loop, cell), target="linear"),
        node(stack_trace=frames(loop, ("/work/cell.py", 13), ("/torch/nn.py", 3)), target="tanh"),
    ]
    rest = [
        node(stack_trace=frames(("/work/model.py", 9)), target="linear"),
        node(stack_trace=None, target="add"),
        types.SimpleNamespace(op="placeholder", stack_trace=frames(loop), target="x"),
    ]
    module._note_repeated(types.SimpleNamespace(graph=types.SimpleNamespace(nodes=[*step * 24, *rest])))
    assert module._state().repeated == [
        ["/work/model.py", 5, "forward", 24, 48],
        ["/work/cell.py", 12, "forward", 24, 24],
        ["/work/cell.py", 13, "forward", 24, 24],
    ]


class Lookups:
    """The part of torch that calls a hook at each lookup of a compiled version."""

    hook: Any = None

    @staticmethod
    def set_guard_complete_hook(hook: Any) -> Any:
        before, Lookups.hook = Lookups.hook, hook
        return before


def test_who_else_sets_the_hook_of_lookups_gets_its_calls() -> None:
    module = collector()
    module._watch_lookups(Lookups, "set_guard_complete_hook")
    seen = []

    def users(hit: bool) -> bool:
        seen.append(hit)
        return False

    assert Lookups.hook(True) is True
    assert Lookups.set_guard_complete_hook(users) is None  # what torch.compiler.set_enable_guard_collectives returns
    assert [Lookups.hook(True), Lookups.hook(False)] == [False, False]
    assert seen == [True, False]
    assert Lookups.set_guard_complete_hook(None) is users
    assert Lookups.hook(False) is False
    assert module._state().misses == 2


def test_calls_of_regions_inside_others_are_not_counted(tmp_path: Path) -> None:
    module = collector()
    module.start(str(tmp_path))
    outer, inner = module._make_enter(1), module._make_enter(2)
    for _ in range(3):
        leave = outer()
        inner()()
        leave()
    inner()()
    assert {number: totals[0] for number, totals in module._state().totals.items()} == {1: 3, 2: 1}
    last = [record for record in read(tmp_path) if record["e"] == "calls"]
    assert [row[:2] for record in last for row in record["regions"]] == [[1, 1], [1, 2], [1, 3], [2, 1]]


def test_threads_that_have_ended_are_written_and_forgotten(tmp_path: Path) -> None:
    module = collector()
    module.start(str(tmp_path))
    module._writes = module._EACH_CALL  # later than the first calls
    enter = module._make_enter(1)

    def work() -> None:
        module._state().written = time.perf_counter()
        enter()()

    for _ in range(2 * module._THREADS):
        thread = threading.Thread(target=work)
        thread.start()
        thread.join()
    assert len(module._states) <= module._THREADS
    module._end()
    totals = {record["who"]: record["regions"][0][1] for record in read(tmp_path) if record["e"] == "calls"}
    assert list(totals.values()) == [1] * (2 * module._THREADS)

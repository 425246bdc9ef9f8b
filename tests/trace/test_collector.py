"""The collector in processes whose torch is a small stand-in, so that they start at once."""

import contextlib
import functools
import importlib
import inspect
import json
import os
import subprocess
import sys
import threading
import time
import types
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from compile_lessons.trace.run import COLLECTOR, environment

NAME = "compile_lessons_collector"


@pytest.fixture
def collector(monkeypatch: pytest.MonkeyPatch) -> Iterator[ModuleType]:
    """The collector as a package of this process, not started."""
    monkeypatch.syspath_prepend(COLLECTOR)
    yield importlib.import_module(NAME)
    for name in [name for name in sys.modules if name.partition(".")[0] == NAME]:
        del sys.modules[name]


def test_this_torch_has_every_hook(collector: ModuleType) -> None:
    for name in (*collector.HOOKS, *collector.compiles.HOOKS, f"torch._inductor:{collector.exports.PACKAGE}"):
        collector.resolve(name)


def test_this_triton_has_every_hook_and_inductor_names_its_kernels_where_that_is_watched(collector: ModuleType) -> None:
    pytest.importorskip("triton")
    for name in collector.kernels.HOOKS:
        collector.resolve(name)
    module, owner = importlib.import_module(f"{NAME}.limits").WATCHED
    define_kernel = getattr(importlib.import_module(module), owner).define_kernel
    assert [*inspect.signature(define_kernel).parameters] == ["self", "src_code", "node_schedule", "kernel"]


def test_torch_calls_modules_and_backward_passes_by_the_names_that_are_sampled() -> None:
    import torch

    assert torch.nn.Module.__call__.__name__ == "_wrapped_call_impl"
    assert "_engine_run_backward" in torch.autograd.backward.__code__.co_names


def test_the_logger_of_cuda_graphs_is_torchs(collector: ModuleType) -> None:
    import torch._inductor.cudagraph_utils as utils

    assert utils.cudagraphs_log.name == collector.compiles.LOGS[0]


def test_torchs_cuda_graph_trees_have_the_variables_that_are_read() -> None:
    from torch._inductor.cudagraph_trees import CUDAGraphTreeManager, __file__

    assert __file__.endswith("cudagraph_trees.py")
    code = CUDAGraphTreeManager._run.__code__
    assert {"self", "function_id", "new_inputs", "child_nodes", "status_logger"} <= {*code.co_varnames}


def test_a_reset_is_noted_and_leaves_the_callbacks(collector: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    from torch._dynamo.callback import CompilationCallbackHandler

    noted: list[dict[str, Any]] = []
    monkeypatch.setattr(collector.compiles, "write", lambda event, **fields: noted.append({"e": event, **fields}))
    monkeypatch.setattr(collector.stacks, "torch_folder", "/venv/torch/")
    handler = collector.compiles.watch_compiles(CompilationCallbackHandler([], []))
    for _ in range(2):
        collector.compiles.watch_resets(handler.clear)()
    assert (len(handler.start_callbacks), len(handler.end_callbacks)) == (1, 1)
    assert [(record["e"], record["stack"][0][0]) for record in noted] == [("reset", __file__)] * 2


RECORDING = """
def record(collector, frames):
    return collector.compiles._recording(frames._getframe(0))

def _run(self, new_inputs, function_id, child_nodes, collector, frames):
    status_logger = lambda: "static input data pointer changed.\\nmore"
    return record(collector, frames)
"""


def test_a_recording_of_a_cuda_graph_is_described_by_torchs_own_variables(collector: ModuleType) -> None:
    """No CUDA graph is recorded without a GPU, so a stand-in has the variables."""
    names: dict[str, Any] = {}
    exec(compile(RECORDING, "/venv/torch/_inductor/cudagraph_trees.py", "exec"), names)
    manager = types.SimpleNamespace(id_to_mode={7: types.SimpleNamespace(name="FORWARD")})
    run = functools.partial(names["_run"], manager, [object(), 12, 3], 7, collector=collector, frames=sys)
    assert run(child_nodes={7: []}) == {"mode": "FORWARD", "sizes": [12, 3], "again": 0}
    again = run(child_nodes={7: ["graph"]})
    assert (again["again"], again["reason"]) == (1, "static input data pointer changed.\nmore")
    assert collector.compiles._recording(sys._getframe(0)) == {}  # a torch that records elsewhere


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


def test_a_torch_without_the_hooks_is_named_and_the_program_runs(
    folders: tuple[Path, Path], collector: ModuleType
) -> None:
    done = run(folders, "import torch._dynamo; print(torch._dynamo.loaded, type(torch._dynamo.__loader__).__name__)")
    assert (done.returncode, done.stdout, done.stderr) == (0, "True SourceFileLoader\n", "")
    kinds = {record["e"]: record for record in read(folders[0])}
    assert list(kinds) == ["process", "torch", "end"]  # no samples: no module ran
    assert kinds["torch"]["version"] == "9.9"
    assert kinds["torch"]["missing"] == list(collector.HOOKS)


def test_nothing_of_ours_is_imported_but_the_collector(folders: tuple[Path, Path]) -> None:
    names = "{name.partition('.')[0] for name in sys.modules if name.startswith('compile_lessons')}"
    assert run(folders, f"import sys, torch._dynamo; print(*{names})").stdout == f"{NAME}\n"


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
        "import os, torch, warnings; warnings.simplefilter('error')\n"
        "def count(): return len(os.listdir('/proc/self/task'))\n"
        "before = count()\n"
        "for _ in range(20):\n"
        "    pid = os.fork(); pid or os._exit(count()); assert os.waitpid(pid, 0)[1] == 1 << 8\n"
        "print(before, count())"
    )
    done = run(folders, program)
    assert (done.stdout, done.stderr) == ("2 2\n", "")


def test_a_program_that_waits_for_all_threads_ends(folders: tuple[Path, Path]) -> None:
    """No thread of the collector's is known to ``threading``, also while modules are sampled."""
    program = (
        "import pathlib, sys, threading, torch\n"
        "files = pathlib.Path(sys.argv[1])\n"
        "def _wrapped_call_impl():\n"
        "    while not any('samples' in file.read_text() for file in files.iterdir()): pass\n"
        "_wrapped_call_impl()\n"
        "print(threading.active_count())\n"
        "for thread in threading.enumerate():\n"
        "    if thread is not threading.current_thread(): thread.join()\n"
        "print('joined')\n"
    )
    file = folders[1] / "program.py"
    file.write_text(program)
    done = run(folders, f"import runpy, sys; sys.argv[1:] = [{str(folders[0])!r}]; runpy.run_path({str(file)!r})")
    assert (done.returncode, done.stdout, done.stderr) == (0, "1\njoined\n", "")
    assert [record["e"] for record in read(folders[0])][-2:] == ["samples", "end"]


def test_the_sampler_keeps_no_object_of_a_function_that_has_returned(folders: tuple[Path, Path]) -> None:
    """Torch sets autocast and other states of its thread as long as such an object lives."""
    program = (
        "import threading, time, torch\n"
        "class Guard:\n"
        "    def __del__(self): ended.append(threading.get_ident())\n"
        "def work(until):\n"
        "    guard = Guard()\n"
        "    while time.perf_counter() < until: pass\n"
        "ended, late = [], 0\n"
        "for number in range(1, 401):\n"
        "    work(time.perf_counter() + 0.001)\n"
        "    late += len(ended) != number\n"
        "print(late, {*ended} == {threading.get_ident()})"
    )
    done = run(folders, program)
    assert (done.returncode, done.stdout, done.stderr) == (0, "0 True\n", "")


def test_the_sampler_ends_before_the_interpreter_does(folders: tuple[Path, Path]) -> None:
    program = (
        "import atexit, os; atexit.register(lambda: print(len(os.listdir('/proc/self/task'))))\n"
        "import torch; print(len(os.listdir('/proc/self/task')))"
    )
    done = run(folders, program)
    assert (done.returncode, done.stdout, done.stderr) == (0, "2\n1\n", "")


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
    ((line, count),) = samples["lines"]
    assert (line, count) == ([str(program), 5, "step"], samples["total"])


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
    assert samples["backward"] == samples["total"] - samples["lines"][0][1] > 0


def test_ranks_come_from_the_environment(folders: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RANK", "3")
    run(folders, "import torch")
    assert read(folders[0])[0]["rank"] == 3


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
def test_the_new_value_of_a_guard_that_failed(collector: ModuleType, guard: str, value: str | None) -> None:
    assert collector.guards._new_value(guard, Frame({"self": Layer(), "task": "b"})) == value


def frames(*lines: tuple[str, int]) -> str:
    return "".join(f'  File "{file}", line {line}, in forward\n    code\n' for file, line in lines)


def test_lines_that_a_graph_has_many_times_are_noted_with_their_callers(
    collector: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two layers loop over 12 steps, with two operations in lines 12 and 13 of a cell; line 9 is after the loop."""
    monkeypatch.setattr(collector.stacks, "torch_folder", "/torch/")
    monkeypatch.setattr(collector.stacks, "_standard", "/usr/lib/python3.11/")
    loop, cell = ("/work/model.py", 5), ("/work/cell.py", 12)
    node = functools.partial(types.SimpleNamespace, op="call_function", meta={})
    steps = []
    for key in [f"layer{layer}@{step}" for layer in range(2) for step in range(12)]:
        inside = {"nn_module_stack": {"model": (), key: ()}}
        steps.append(node(stack_trace=frames(loop, cell), target="linear", meta=inside))
        steps.append(node(stack_trace=frames(loop, ("/work/cell.py", 13), ("/torch/nn.py", 3)), target="tanh"))
    rest = [
        node(stack_trace=frames(("/work/model.py", 9)), target="linear"),
        node(stack_trace=None, target="add"),
        types.SimpleNamespace(op="placeholder", stack_trace=frames(loop), target="x"),
    ]
    collector.frames._note_repeated(types.SimpleNamespace(graph=types.SimpleNamespace(nodes=[*steps, *rest])))
    assert [tuple(found.values()) for found in collector.calls.state_of_thread().repeated] == [
        (["/work/model.py", 5, "forward"], 24, 48, 12),
        (["/work/cell.py", 12, "forward"], 24, 24, 12),
        (["/work/cell.py", 13, "forward"], 24, 24, 24),  # in no module
    ]


class Lookups:
    """The part of torch that calls a hook at each lookup of a compiled version."""

    hook: Any = None

    @staticmethod
    def set_guard_complete_hook(hook: Any) -> Any:
        before, Lookups.hook = Lookups.hook, hook
        return before


def test_who_else_sets_the_hook_of_lookups_gets_its_calls(
    collector: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    hook = staticmethod(collector.calls.watch_lookups(Lookups.set_guard_complete_hook))
    monkeypatch.setattr(Lookups, "set_guard_complete_hook", hook)
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
    assert collector.calls.state_of_thread().misses == 2


def test_the_time_of_guards_has_no_compile_and_no_eager_code(
    collector: ModuleType, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """What a call runs before its first hit is no guard, if something was compiled or its own function was skipped."""
    collector.start(str(tmp_path))
    hook = staticmethod(collector.calls.watch_lookups(Lookups.set_guard_complete_hook))
    monkeypatch.setattr(Lookups, "set_guard_complete_hook", hook)
    code = test_the_time_of_guards_has_no_compile_and_no_eager_code.__code__
    frame = types.SimpleNamespace(f_code=code)
    place = [code.co_filename, code.co_firstlineno, code.co_name]
    collector.calls.regions.update({1: {"id": 1}, 2: {"id": 2, "code": place}})

    def call(region: int, guarded_code: object = None, convert: bool = False) -> None:
        leave = collector.calls.make_enter(region)()
        if convert:
            result = types.SimpleNamespace(guarded_code=guarded_code)
            collector.frames.watch_frames(lambda *args: result)(None, frame, None, {})
        Lookups.hook(True)
        leave()

    call(1, guarded_code=object(), convert=True)
    call(1)
    call(2, convert=True)
    call(2)
    assert {region: count for region, (count, _) in collector.calls.state_of_thread().lookups.items()} == {1: 1}


def test_calls_of_regions_inside_others_are_not_counted(collector: ModuleType, tmp_path: Path) -> None:
    collector.start(str(tmp_path))
    collector.calls.regions.update({number: {"id": number} for number in (1, 2)})
    outer, inner = collector.calls.make_enter(1), collector.calls.make_enter(2)
    for _ in range(3):
        leave = outer()
        inner()()
        leave()
    inner()()
    assert {number: totals[0] for number, totals in collector.calls.state_of_thread().totals.items()} == {1: 3, 2: 1}
    last = [record for record in read(tmp_path) if record["e"] == "calls"]
    assert [row[:2] for record in last for row in record["regions"]] == [[1, 1], [1, 2], [1, 3], [2, 1]]


def test_threads_that_have_ended_are_written_and_forgotten(collector: ModuleType, tmp_path: Path) -> None:
    collector.start(str(tmp_path))
    module = collector.calls
    module._writes = module._EACH_CALL  # later than the first calls
    module.regions[1] = {"id": 1}
    enter = module.make_enter(1)

    def work() -> None:
        module.state_of_thread().written = time.perf_counter()
        enter()()

    for _ in range(2 * module._THREADS):
        thread = threading.Thread(target=work)
        thread.start()
        thread.join()
    assert len(module._states) <= module._THREADS
    collector._end()
    totals = {record["who"]: record["regions"][0][1] for record in read(tmp_path) if record["e"] == "calls"}
    assert list(totals.values()) == [1] * (2 * module._THREADS)


class _Failed(Exception):
    pass


def call(enter: Any, error: Exception | None) -> None:
    """Call a region as torch does: what it has entered is left in a ``finally``."""
    leave = enter()
    try:
        if error is not None:
            raise error
    finally:
        leave()


def raised(folder: Path) -> list[dict[str, Any]]:
    return [record for record in read(folder) if record["e"] == "raised"]


def test_exceptions_that_leave_a_call_are_noted_at_powers_of_two(collector: ModuleType, tmp_path: Path) -> None:
    collector.start(str(tmp_path))
    enter = collector.calls.make_enter(1)
    for number in range(9):
        with contextlib.suppress(_Failed):
            call(enter, _Failed(f"request {number}"))
    call(enter, None)
    records = raised(tmp_path)
    assert [record["count"] for record in records] == [1, 2, 4, 8]
    first = records[0]
    assert (first["type"], first["message"], first["when"], first["region"]) == ("_Failed", "request 0", "call", 1)
    collector._end()
    assert [record["count"] for record in raised(tmp_path)] == [1, 2, 4, 8, 9]


def test_an_exception_that_the_program_handles_around_a_call_is_not_the_calls(
    collector: ModuleType, tmp_path: Path
) -> None:
    collector.start(str(tmp_path))
    enter = collector.calls.make_enter(1)
    try:
        raise ValueError
    except ValueError:
        call(enter, None)  # a retry
        with pytest.raises(KeyError):
            call(enter, KeyError("x"))
    with pytest.raises(KeyboardInterrupt):
        call(enter, KeyboardInterrupt())
    assert [record["type"] for record in raised(tmp_path)] == ["KeyError"]


def test_a_backward_pass_that_raises_is_noted_outside_of_calls_alone(collector: ModuleType, tmp_path: Path) -> None:
    collector.start(str(tmp_path))

    def fail() -> None:
        raise RuntimeError("again")

    backward = collector.compiles.watch_backward(fail)
    for _ in range(2):
        with pytest.raises(RuntimeError):
            backward()
    leave = collector.calls.make_enter(1)()
    with pytest.raises(RuntimeError):
        backward()
    leave()
    assert [record["count"] for record in raised(tmp_path)] == [1, 2]
    assert [record["e"] for record in read(tmp_path)].count("trains") == 1


def test_what_ends_the_program_and_a_thread_is_noted_and_printed_as_before(
    folders: tuple[Path, Path], tmp_path: Path
) -> None:
    program = tmp_path / "program.py"
    program.write_text(
        "import threading, torch._dynamo\n"
        "import compile_lessons_collector as collector\n"
        "collector.calls.regions[1] = True\n"
        "def work():\n"
        "    raise KeyError('worker')\n"
        "thread = threading.Thread(target=work, name='server')\n"
        "thread.start()\n"
        "thread.join()\n"
        "try:\n"
        "    {}['a']\n"
        "except KeyError as error:\n"
        "    raise SystemError('end') from error\n"
    )
    done = run(folders, f"import runpy; runpy.run_path({str(program)!r})")
    assert done.returncode == 1 and "SystemError: end" in done.stderr and "KeyError: 'worker'" in done.stderr
    records = raised(folders[0])
    assert [(record["type"], record["ends"]) for record in records] == [
        ("KeyError", "thread"),
        ("SystemError", "program"),
        ("KeyError", "program"),
    ]
    assert [record["frames"][-1][1:] for record in records] == [[5, "work"], [12, "<module>"], [10, "<module>"]]
    assert records[0]["thread"] == "server"


def test_code_that_inductor_wrote_is_not_outside_of_compiled_functions(collector: ModuleType) -> None:
    """A backward graph runs in a file of its cache, and not in a call of a compiled function."""

    def frame(file: str) -> types.SimpleNamespace:
        caller = types.SimpleNamespace(
            f_code=types.SimpleNamespace(co_filename="/work/a.py", co_name="step"), f_lineno=9
        )
        caller.f_back = None
        return types.SimpleNamespace(
            f_code=types.SimpleNamespace(co_filename=file, co_name="call"), f_lineno=1, f_back=caller
        )

    collector.stacks.torch_folder = "/torch/"
    name = "dgbr5aujdsuonm37kkvwyp5iclliq3smnmf33pcyeqwk2tilias"
    assert collector.samples._innermost(frame(f"/tmp/cache/dg/c{name}.py")) is None
    assert collector.samples._innermost(frame("<eval_with_key>.1")) == ("/work/a.py", 9, "step")
    assert collector.samples._innermost(frame("/work/b.py")) == ("/work/b.py", 1, "call")

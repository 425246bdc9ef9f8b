"""What docs/production/logs.md states and its programs don't assert."""

import contextlib
import inspect
import io
import logging
import os
import pstats
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import torch
import torch._dynamo.config
from torch._inductor.utils import fresh_cache


@pytest.fixture(autouse=True)
def usual_logs() -> Iterator[None]:
    yield
    torch._logging.set_logs()


def double(x):
    return x * 2


def add_one(x):
    return x + 1


def test_each_compile_overwrites_the_profile_and_prints_its_table(tmp_path: Path, capsys) -> None:
    file = tmp_path / "dynamo.prof"
    with torch._dynamo.config.patch(dynamo_profiler=str(file)):
        for function in (double, add_one):
            torch.compile(function, backend="eager")(torch.ones(2))
    assert {name for _, _, name in pstats.Stats(str(file)).stats} == {"add_one"}
    printed = capsys.readouterr().out
    assert "double (" in printed and "add_one (" in printed


def test_one_is_the_name_of_a_file(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    with torch._dynamo.config.patch(dynamo_profiler="1"):
        torch.compile(double, backend="eager")(torch.ones(2))
    assert [path.name for path in tmp_path.iterdir()] == ["1"]


def test_the_backend_is_not_in_the_profile(tmp_path: Path) -> None:
    file = tmp_path / "dynamo.prof"
    with torch._dynamo.config.patch(dynamo_profiler=str(file)):
        torch.compile(double, backend="aot_eager")(torch.ones(2, requires_grad=True)).sum().backward()
    assert {name for _, _, name in pstats.Stats(str(file)).stats} == {"double"}


def logged(run: Callable[[], object], **logs: object) -> str:
    """Return what these logs print while ``run`` runs."""
    torch.compiler.reset()
    with contextlib.redirect_stderr(io.StringIO()) as output:
        torch._logging.set_logs(**logs)
        run()
    return output.getvalue()


def call_with_names(count: int) -> None:
    """Call a function whose version depends on the length of a name."""
    scale = torch.compile(lambda x, name: x * len(name), backend="eager", dynamic=False)
    for length in range(1, count + 1):
        scale(torch.ones(2), "a" * length)


@pytest.mark.parametrize("late", [False, True])
def test_a_variable_that_comes_late_turns_set_logs_off(late: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    if late:
        monkeypatch.setenv("TORCH_LOGS", "recompiles")
    text = logged(lambda: call_with_names(2), recompiles=True)
    monkeypatch.delenv("TORCH_LOGS", raising=False)
    assert ("Recompiling" in text) is not late


def test_an_empty_variable_fails_the_import() -> None:
    command = [sys.executable, "-c", "import torch"]
    run = subprocess.run(command, env=os.environ | {"TORCH_LOGS": ""}, capture_output=True, text=True)
    assert run.returncode == 1
    assert "AttributeError: 'dict' object has no attribute 'get_log_level_pairs'" in run.stderr


def test_some_names_are_no_keywords_of_set_logs() -> None:
    assert "loop_ordering" not in inspect.signature(torch._logging.set_logs).parameters
    with pytest.raises(TypeError):
        torch._logging.set_logs(loop_ordering=True)
    torch._logging.set_logs(modules={"loop_ordering": True})


def test_a_call_of_set_logs_replaces_the_logs_of_an_earlier_call() -> None:
    torch._logging.set_logs(recompiles=True)
    text = logged(lambda: call_with_names(2), graph_code=True)
    assert "Recompiling" not in text and "TRACED GRAPH" in text


@pytest.mark.parametrize("log", ["recompiles", "recompiles_verbose"])
def test_of_three_guards_that_fail_the_first_is_logged(log: str) -> None:
    def change_all() -> None:
        add = torch.compile(lambda x, y, name: x * len(name) + y, backend="eager", dynamic=False)
        add(torch.ones(2), torch.ones(2), "a")
        add(torch.ones(3), torch.ones(3, dtype=torch.float64), "ab")

    text = logged(change_all, **{log: True})
    assert text.count("0/0: ") == 1 and "size mismatch" in text


@pytest.mark.parametrize(("level", "warns"), [(logging.WARNING, True), (logging.ERROR, False)])
def test_only_errors_of_dynamo_leave_out_the_recompile_limit(level: int, warns: bool) -> None:
    text = logged(lambda: call_with_names(10), dynamo=level)
    assert ("hit config.recompile_limit" in text) is warns


@pytest.mark.parametrize("named", [False, True])
def test_debug_messages_of_dynamo_leave_recompiles_out(named: bool) -> None:
    text = logged(lambda: call_with_names(2), dynamo=logging.DEBUG, recompiles=named)
    assert ("Recompiling function" in text) is named


def test_on_a_hit_the_joint_graph_is_in_aot_graphs() -> None:
    def step() -> None:
        w = torch.ones(64, requires_grad=True)
        torch.compile(lambda x, w: torch.relu(x * w).sum())(torch.ones(64), w).backward()

    with fresh_cache():
        cold = logged(step, aot_graphs=True)
        hit = logged(step, aot_graphs=True)
    assert "Joint graph" not in cold and "Forward graph" in cold
    assert "Joint graph (from cache)" in hit and "Forward graph (from cache)" in hit


def test_a_graph_that_is_not_cached_prints_its_logs_again() -> None:
    def branch() -> None:
        torch.compile(lambda x: torch.cond(x.sum() > 0, torch.sin, torch.cos, (x,)))(torch.ones(64))

    with fresh_cache():
        assert logged(branch, fusion=True)
        assert logged(branch, fusion=True)


def test_a_hit_writes_no_files_of_its_graph(tmp_path: Path) -> None:
    def debug_files(folder: Path) -> set[str]:
        torch.compiler.reset()
        torch.compile(lambda x: x.exp() + 1)(torch.ones(64))
        return {path.name for path in folder.rglob("*.py")}

    with fresh_cache(), torch._inductor.config.patch({"trace.enabled": True, "trace.debug_dir": str(tmp_path)}):
        assert {"output_code.py", "fx_graph_runnable.py"} <= debug_files(tmp_path)
        shutil.rmtree(tmp_path)
        assert debug_files(tmp_path) == set()
        shutil.rmtree(tmp_path, ignore_errors=True)
        with torch._inductor.config.patch(force_disable_caches=True):
            assert "output_code.py" in debug_files(tmp_path)

"""What docs/production/logs.md states about Dynamo's profile and its program doesn't assert."""

import pstats
from pathlib import Path

import pytest
import torch
import torch._dynamo.config


@pytest.fixture(autouse=True)
def nothing_compiled() -> None:
    torch.compiler.reset()


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

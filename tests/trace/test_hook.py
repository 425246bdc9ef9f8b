"""``sitecustomize.py``, which any Python that the program starts reads, however old."""

import ast
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from compile_lessons.trace.run import COLLECTOR, environment

HOOK = COLLECTOR / "sitecustomize.py"
OLD = ("2.7", "3.6", "3.7", "3.8", "3.9", "3.10", "3.12", "3.13")


def python(version: str) -> str:
    """Return a Python of this machine; skip the test if there is none."""
    pyenv = Path.home() / ".pyenv" / "versions"
    own = [folder / "bin" / "python" for folder in pyenv.glob(f"{version}.*")] if pyenv.is_dir() else []
    found = [str(path) for path in own if path.exists()] or [shutil.which(f"python{version}")]
    working = [path for path in found if path and subprocess.run([path, "-c", ""], capture_output=True).returncode == 0]
    return working[0] if working else pytest.skip(f"no Python {version}")


def bytecode() -> set[Path]:
    return {path for path in COLLECTOR.rglob("*.py[co]") if "pytest" not in path.name}


def test_it_has_no_syntax_that_the_first_python_3_lacks() -> None:
    text = HOOK.read_text(encoding="ascii")
    tree = ast.parse(text, feature_version=(3, 0))
    newer = (
        ast.JoinedStr,
        ast.NamedExpr,
        ast.AnnAssign,
        ast.Starred,
        ast.YieldFrom,
        ast.AsyncFunctionDef,
        ast.Nonlocal,
    )
    assert not [node for node in ast.walk(tree) if isinstance(node, newer)]
    assert not [node for node in ast.walk(tree) if isinstance(node, ast.arguments) and node.kwonlyargs]
    assert not [node for node in ast.walk(tree) if isinstance(node, ast.Raise) and node.cause]


@pytest.mark.parametrize("version", OLD)
def test_another_python_runs_as_without_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, version: str) -> None:
    """And so does the user's own sitecustomize, also one that fails."""
    monkeypatch.delenv("PYTHONDONTWRITEBYTECODE", raising=False)
    command, before = [python(version), "-c", "import sys; print(sys.path[1:])"], bytecode()
    records, modules = tmp_path / "records", tmp_path / "modules"
    records.mkdir()
    modules.mkdir()
    for own in ("", "print('mine')\n", "import no_such_module\n"):
        (modules / "sitecustomize.py").write_text(own)
        plain = subprocess.run(command, env={**os.environ, "PYTHONPATH": str(modules)}, capture_output=True, text=True)
        env = environment(records)
        env["PYTHONPATH"] += os.pathsep + str(modules)
        done = subprocess.run(command, env=env, capture_output=True, text=True)
        assert (done.returncode, done.stdout) == (plain.returncode, plain.stdout)
        assert done.stderr.count("no_such_module") == plain.stderr.count("no_such_module")
        assert own.startswith("import") or done.stderr == ""
    assert bytecode() == before and not list(records.iterdir())


def test_the_collector_leaves_no_bytecode(tmp_path: Path) -> None:
    """In a package that this test has copied, as others have imported the collector of this one."""
    collector, records, modules = tmp_path / "collector", tmp_path / "records", tmp_path / "modules"
    shutil.copytree(COLLECTOR, collector, ignore=shutil.ignore_patterns("__pycache__"))
    records.mkdir()
    modules.mkdir()
    (modules / "torch.py").write_text("")
    (modules / "users.py").write_text("")
    env = environment(records) | {"COMPILE_LESSONS_COLLECTOR": str(collector), "COMPILE_LESSONS_PROFILE": "1"}
    env.pop("PYTHONDONTWRITEBYTECODE", None)
    env["PYTHONPATH"] += os.pathsep + str(modules)
    program = "import torch, users, sys; print('compile_lessons_collector.profile' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], env=env, capture_output=True, text=True)
    assert (done.stdout, done.stderr) == ("True\n", "")
    assert not list(collector.rglob("*.pyc"))
    assert len(list(modules.rglob("users.*.pyc"))) == 1  # the program's own is written


def test_the_hook_is_gone_after_the_command(tmp_path: Path) -> None:
    env = {**os.environ, "TMPDIR": str(tmp_path)}
    command = [sys.executable, "-m", "compile_lessons", "diagnose", "--", sys.executable, "-c", "pass"]
    assert subprocess.run(command, env=env, capture_output=True).returncode == 0
    assert not list(tmp_path.glob("compile-lessons-*"))

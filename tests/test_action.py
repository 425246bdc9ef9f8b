"""The GitHub Action: its scripts run as a runner runs them, where torch is installed and the package is not."""

import json
import os
import re
import shutil
import site
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).parents[1]
ACTION = yaml.safe_load((ROOT / "action.yml").read_text())
PROGRAM = """import sys
import torch


def scale(x, factor):
    return x * factor


print(sys.argv[1:])
scale = torch.compile(scale, backend="eager", dynamic=False)
for n in range(1, int(sys.argv[2])):
    scale(torch.ones(n + 1), 2.0)
"""


def test_the_reference_page_gives_inputs_and_an_output_that_exist() -> None:
    page = (ROOT / "docs" / "reference" / "diagnose.md").read_text(encoding="utf-8")
    [[step]] = map(yaml.safe_load, re.findall(r"```yaml\n(.*?)```", page, re.S))
    assert step["uses"].partition("@")[0] == "compile-lessons/compile-lessons"
    required = {name for name, about in ACTION["inputs"].items() if about.get("required")}
    assert required <= step["with"].keys() <= ACTION["inputs"].keys()
    assert list(ACTION["outputs"]) == ["json"]


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The Python of an environment of its own, into which the action's first step has installed the package."""
    folder = tmp_path_factory.mktemp("action")
    source = folder / "source"  # a build leaves a folder "build" where it is made
    shutil.copytree(ROOT / "src", source / "src", ignore=shutil.ignore_patterns("__pycache__", "*.egg-info"))
    shutil.copytree(ROOT / "snippets" / "labs", source / "snippets" / "labs")
    for name in ("pyproject.toml", "setup.py", "MANIFEST.in", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, source)
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder / "venv"], check=True)
    [packages] = (folder / "venv").glob("lib/python*/site-packages")
    (packages / "outer.pth").write_text("\n".join(site.getsitepackages()))  # torch and pip, but not the checkout
    python = folder / "venv" / "bin" / "python"
    offline = {"PIP_NO_INDEX": "1", "PIP_NO_DEPS": "1", "PIP_NO_BUILD_ISOLATION": "false"}
    step = ACTION["runs"]["steps"][0]
    done = run_step(step, {"python": str(python)}, folder, {"GITHUB_ACTION_PATH": str(source), **offline})
    assert done.returncode == 0, done.stderr
    assert list(packages.glob("compile_lessons-*.dist-info"))
    return python


def run_step(
    step: dict[str, Any], inputs: dict[str, str], folder: Path, extra: dict[str, str]
) -> subprocess.CompletedProcess[str]:
    """Run a step as a runner does: inputs in its variables, ``bash`` with these options, in its folder."""
    defaults = {name: about.get("default", "") for name, about in ACTION["inputs"].items()}

    def filled(text: str) -> str:
        return re.sub(r"\$\{\{ inputs\.([\w-]+) \}\}", lambda match: (defaults | inputs)[match[1]], text)

    variables = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "VIRTUAL_ENV")}
    variables |= {name: filled(value) for name, value in step["env"].items()} | extra
    assert "${{" not in step["run"], "an input in a script would run as code"
    return subprocess.run(
        ["bash", "--noprofile", "--norc", "-e", "-o", "pipefail", "-c", step["run"]],
        cwd=folder / filled(step["working-directory"]),
        env=variables,
        capture_output=True,
        text=True,
    )


def diagnose(environment: Path, folder: Path, **inputs: str) -> tuple[subprocess.CompletedProcess[str], str, str]:
    """Run the action's second step. Return how it ended, the job's summary, and the outputs."""
    (folder / "train.py").write_text(PROGRAM)
    (folder / "typer.py").write_text("raise SystemExit('a module of the repository, and not the package of that name')")
    summary, outputs = folder / "summary.md", folder / "outputs"
    files = {"GITHUB_STEP_SUMMARY": str(summary), "GITHUB_OUTPUT": str(outputs), "RUNNER_TEMP": str(folder)}
    inputs = {name.replace("_", "-"): value for name, value in inputs.items()}
    done = run_step(ACTION["runs"]["steps"][1], {"python": str(environment), **inputs}, folder, files)
    return done, *(path.read_text() if path.exists() else "" for path in (summary, outputs))


def test_a_job_fails_over_its_budget_and_shows_the_report(environment: Path, tmp_path: Path) -> None:
    done, summary, outputs = diagnose(
        environment, tmp_path, command="train.py 'two words'\n5", fail_if="recompiles>2", options="--quick --no-source"
    )
    assert done.returncode == 1, done.stderr
    assert done.stdout == "['two words', '5']\n"
    report = json.loads(Path(re.fullmatch(r"json=(.+)\n", outputs)[1]).read_text())
    assert report["counts"]["recompiles"] == 3
    assert "text" not in report["findings"][0]["where"][0]
    assert summary.startswith("### torch.compile\n~~~~~~text\n") and summary.endswith("\n~~~~~~\n")
    assert "scale was compiled 4 times" in summary and "--fail-if: recompiles>2 is true" in summary


def test_a_job_within_its_budget_passes(environment: Path, tmp_path: Path) -> None:
    command = f"{environment} train.py x 2"
    done, summary, _ = diagnose(environment, tmp_path, command=command, fail_if="recompiles>0")
    assert done.returncode == 0, done.stderr
    assert "no findings" in summary


def test_a_wrong_condition_fails_before_the_program_runs(environment: Path, tmp_path: Path) -> None:
    done, summary, outputs = diagnose(environment, tmp_path, command="train.py x 5", fail_if="speed>1")
    assert (done.returncode, done.stdout, summary, outputs) == (2, "", "", "")
    assert "--fail-if 'speed>1' is not known" in done.stderr

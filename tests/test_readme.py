"""The README is short, its files are there, and ``compile-lessons explain`` prints what it shows."""

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[1]
README = ROOT / "README.md"


def test_explain_begins_as_the_readme_says(tmp_path: Path) -> None:
    text = README.read_text(encoding="utf-8")
    [program] = re.findall(r"```python\n(import torch.*?def make_inputs.*?)```", text, re.DOTALL)
    [command] = re.findall(r"^compile-lessons (explain .* --inputs my_file.py:make_inputs)$", text, re.MULTILINE)
    [shown] = re.findall(r"```text\n(largest: .*?)\n```", text, re.DOTALL)
    (tmp_path / "my_file.py").write_text(program, encoding="utf-8")
    run = [sys.executable, "-m", "compile_lessons", *command.split()]
    assert subprocess.run(run, cwd=tmp_path, capture_output=True, text=True, check=True).stdout.startswith(shown)


def test_the_readme_is_short() -> None:
    assert len(README.read_text(encoding="utf-8").splitlines()) <= 120


@pytest.mark.parametrize("name", ["README.md", "CONTRIBUTING.md", "RELEASING.md", "SECURITY.md"])
def test_linked_files_are_there(name: str) -> None:
    links = re.findall(r"\]\((?!https?:)([^)#]+)", (ROOT / name).read_text(encoding="utf-8"))
    assert [link for link in links if not (ROOT / link).exists()] == []


def test_the_versions_agree() -> None:
    version = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    assert yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))["version"] == version
    dated = re.findall(r"^## (\S+) \(", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.M)
    assert dated[0] == version

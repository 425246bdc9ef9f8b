"""A test that fails ends with the snippet and the page that it looked at."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

TESTS = """
import pytest
from blame import look_at

def test_of_a_record():
    look_at("snippets/dynamo/guards/causes.py")
    assert False

@pytest.mark.parametrize("page", ["docs/index.md"])
def test_of_a_page(page):
    assert False

@pytest.mark.parametrize("number", [1, "text"])
def test_of_neither(number):
    assert number == 1
"""


def test_a_failure_ends_with_what_the_test_looked_at(tmp_path: Path) -> None:
    (tmp_path / "test_three.py").write_text(TESTS)
    environment = {name: value for name, value in os.environ.items() if name != "PYTEST_ADDOPTS"}  # which print more
    environment["PYTHONPATH"] = os.pathsep.join([str(Path(__file__).parent), *sys.path])
    command = [sys.executable, "-m", "pytest", "-p", "blame", "-p", "no:cacheprovider", "--tb=short", str(tmp_path)]
    printed = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True).stdout
    assert "3 failed, 1 passed" in printed, printed
    failures = re.split("=== (?:FAILURES|short test summary info) ===", printed)[1].rstrip("=")
    of_a_record, of_a_page, of_neither = (part.strip().splitlines()[-1] for part in failures.split("\n____")[1:])
    assert of_a_record.startswith("snippets/dynamo/guards/causes.py, shown on docs/dynamo/guards.md:")
    assert of_a_page == "docs/index.md"
    assert of_neither.startswith("E ")

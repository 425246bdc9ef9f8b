"""The Makefile's commands, whatever the environment of the shell says."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


@pytest.mark.skipif(shutil.which("make") is None, reason="there is no make on this machine")
def test_python_writes_bytecode_although_the_shell_forbids_it() -> None:
    makefile = "include Makefile\nprobe:\n\t@env\n"
    environment = os.environ | {"PYTHONDONTWRITEBYTECODE": "1"}
    command = ["make", "--no-print-directory", "-f", "-", "probe"]
    printed = subprocess.run(
        command, cwd=ROOT, env=environment, input=makefile, capture_output=True, text=True, check=True
    ).stdout
    assert "NO_MKDOCS_2_WARNING=1\n" in printed and "PYTHONDONTWRITEBYTECODE" not in printed

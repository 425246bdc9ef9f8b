"""Run a test file as a program on two ranks, in fresh processes: a compile can hang in a fork of this one."""

import json
import os
import subprocess
import sys
from typing import Any


def run_on_two_ranks(file: str) -> Any:
    """Return what the program prints last, as JSON. It calls ``on_two_ranks`` under ``__name__ == "__main__"``."""
    done = subprocess.run([sys.executable, file], env=environment(), capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


def environment() -> dict[str, str]:
    """Return this process's environment, in which a program imports what the tests do."""
    return os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}

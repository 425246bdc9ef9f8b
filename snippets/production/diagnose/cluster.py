# /// lesson
# timeout = 300
# data = ["_train.py"]
# varies.output = ['[\d.]+ m?s\b', 'under 1 ms', '\(\d+%\)']
# ///
"""A trace that a job recorded without this package, read afterwards."""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

from _diagnose import copy_program, run_command

folder = Path(tempfile.mkdtemp())
copy_program("train.py", folder)
settings = {"TORCH_TRACE": "trace", "TORCH_COMPILE_OVERRIDE_BACKENDS": ">=0:eager"}
command = [sys.executable, "train.py"]
environment = os.environ | settings
subprocess.run(command, cwd=folder, env=environment, capture_output=True, check=True)
status = run_command(folder, "diagnose --trace trace --sources .")
# region checks
assert status == 0
# endregion

# /// lesson
# timeout = 300
# data = ["_clip.py"]
# varies.output = ['[\d.]+ m?s\b', 'under 1 ms', '\(\d+%\)']
# ///
"""A custom operator without a fake function: what diagnose reports."""

import tempfile
from pathlib import Path

from _diagnose import copy_program, run_command

folder = Path(tempfile.mkdtemp())
copy_program("clip.py", folder)
run_command(folder, "diagnose --quick --json report.json clip.py")
# region checks
import json

[finding] = json.loads((folder / "report.json").read_text())["findings"]
assert finding["rule"] == "compile-failed"
assert finding["where"][0]["line"] == 13
# endregion

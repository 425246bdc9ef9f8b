# /// lesson
# timeout = 300
# data = ["_generate.py"]
# varies.output = ['[\d.]+ m?s\b', 'under 1 ms', '\(\d+%\)']
# ///
"""A method of the original module runs in eager mode: what diagnose reports."""

import tempfile
from pathlib import Path

from _diagnose import copy_program, run_command

folder = Path(tempfile.mkdtemp())
copy_program("generate.py", folder)
run_command(folder, "diagnose --quick --json report.json generate.py")
# region checks
import json

[finding] = json.loads((folder / "report.json").read_text())["findings"]
assert finding["rule"] == "nothing-compiled"
assert finding["where"][0]["line"] == 23  # torch.compile(Model())
# endregion

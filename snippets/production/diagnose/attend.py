# /// lesson
# timeout = 300
# data = ["_attend.py"]
# varies.output = ['[\d.]+ m?s\b', 'under 1 ms', '\(\d+%\)']
# ///
"""A branch on a mask breaks the graph: what diagnose reports."""

import tempfile
from pathlib import Path

from _diagnose import copy_program, run_command

folder = Path(tempfile.mkdtemp())
copy_program("attend.py", folder)
run_command(folder, "diagnose --quick --json report.json attend.py")
# region checks
import json

[finding] = json.loads((folder / "report.json").read_text())["findings"]
assert finding["rule"] == "graph-break"
assert finding["where"][0]["line"] == 10
# endregion

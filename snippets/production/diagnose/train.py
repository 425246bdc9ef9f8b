# /// lesson
# timeout = 300
# data = ["_train.py"]
# varies.output = [
#     '[\d.]+ m?s\b',
#     'under 1 ms',
#     '\(\d+%\)',
#     '(?m)^(compile seconds|seconds \w+) .*$',
# ]
# ///
"""A counter on a module, found by diagnose, fixed, and compared."""

import tempfile
from pathlib import Path

from _diagnose import copy_program, run_command

folder = Path(tempfile.mkdtemp())
copy_program("train.py", folder)
run_command(folder, "diagnose --quick --json before.json train.py")

# region fix
before = "self.steps = 0"
after = 'self.register_buffer("steps", torch.tensor(0))'
not_in_forward = ("        self.steps += 1\n", "")
in_the_loop = ("    x = torch.randn", "    model.steps += 1\n    x = torch.randn")
# endregion
copy_program("train.py", folder, (before, after), not_in_forward, in_the_loop)
run_command(folder, "diagnose --quick --json after.json train.py")
status = run_command(folder, "diff before.json after.json")
# region checks
import json

first_findings = json.loads((folder / "before.json").read_text())["findings"]
findings_left = json.loads((folder / "after.json").read_text())["findings"]
assert [finding["rule"] for finding in first_findings] == ["recompile-limit"]
assert findings_left == []
assert status == 0
# endregion

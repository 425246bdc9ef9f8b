# /// lesson
# timeout = 300
# data = ["_serve.py"]
# varies.output = ['[\d.]+ m?s\b', 'under 1 ms', '\(\d+%\)']
# ///
"""A server thread with the default recompile limit, and a condition for CI."""

import tempfile
from pathlib import Path

from _diagnose import copy_program, run_command

folder = Path(tempfile.mkdtemp())
command = "diagnose --quick --fail-if 'limits>0' serve.py"
copy_program("serve.py", folder)
status = run_command(folder, command)

before = "dynamic=False)"
after = "dynamic=False, recompile_limit=64)"
copy_program("serve.py", folder, (before, after))
status_with_fix = run_command(folder, command)
print("exit statuses:", [status, status_with_fix])
# region checks
assert (status, status_with_fix) == (1, 0)
# endregion

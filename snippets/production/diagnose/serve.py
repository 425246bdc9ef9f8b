# /// lesson
# timeout = 300
# data = ["_serve.py"]
# varies.output = ['[\d.]+ m?s\b', 'under 1 ms', '\(\d+%\)']
# ///
"""A server thread with the default recompile limit, and a condition for CI."""

import tempfile
from pathlib import Path

from _diagnose import compile_lessons, copy_program

folder = Path(tempfile.mkdtemp())
statuses = []
copy_program("serve.py", folder)
statuses.append(
    compile_lessons(folder, "diagnose --quick --fail-if 'limits>0' serve.py")
)

before = "dynamic=False)"
after = "dynamic=False, recompile_limit=64)"
copy_program("serve.py", folder, (before, after))
statuses.append(
    compile_lessons(folder, "diagnose --quick --fail-if 'limits>0' serve.py")
)
print("exit statuses:", statuses)
# region checks
assert statuses == [1, 0]
# endregion

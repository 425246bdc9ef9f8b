# /// lesson
# timeout = 300
# data = ["_lengths.py"]
# varies.output = ['[\d.]+ m?s\b', 'under 1 ms', '\(\d+%\)']
# ///
"""Two ranks, of which one compiles while the other waits, before and after the fix."""

import os
import sys
import tempfile
from pathlib import Path

from _diagnose import copy_program, run_command

programs = str(Path(sys.executable).parent)
os.environ["PATH"] = os.pathsep.join([programs, os.environ["PATH"]])
os.environ["OMP_NUM_THREADS"] = "1"  # torchrun warns without it
folder = Path(tempfile.mkdtemp())
command = "diagnose --quick --json {} -- torchrun --nproc-per-node 2 lengths.py"
copy_program("lengths.py", folder)
run_command(folder, command.format("before.json"))

call = "    trained(tokens)"
dynamic = "    torch._dynamo.mark_dynamic(tokens, 1)\n"
copy_program("lengths.py", folder, (call, dynamic + call))
run_command(folder, command.format("after.json"))
# region checks
import json

[finding] = json.loads((folder / "before.json").read_text())["findings"]
assert finding["rule"] == "ranks-differ"
assert "rank 1 compiled it in call 3" in finding["what"]
assert json.loads((folder / "after.json").read_text())["findings"] == []
# endregion

# /// lesson
# env = {TORCH_LOGS = "-dynamo"}
# ///
"""tlparse 0.4.3 takes the log file: a folder, with --latest or without, is an error."""

import subprocess
import sys
import tempfile
from pathlib import Path

import torch
from _traced import call_traced


@torch.compile(backend="eager")
def negate(x):
    return -x


folder = Path(tempfile.mkdtemp())
call_traced(lambda: negate(torch.ones(2)), folder / "trace")
[log] = (folder / "trace").iterdir()
tlparse = Path(sys.executable).with_name("tlparse")
statuses = []
for arguments in ([log.parent], [log.parent, "--latest"], [log]):
    report = folder / f"report{len(statuses)}"
    command = [tlparse, *arguments, "-o", report, "--no-browser"]
    run = subprocess.run(command, capture_output=True, check=False, text=True)
    statuses.append(run.returncode)
    typed = " ".join(["$ tlparse", *map(str, arguments)])
    for line in (typed, run.stderr.splitlines()[0]):
        print(line.replace(log.name, "FILE.log").replace(str(folder), "/tmp"))

# region checks
assert statuses == [1, 1, 0]
# endregion

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

folder = Path(tempfile.mkdtemp())
call_traced(lambda: torch.compile(torch.neg, backend="eager")(torch.ones(2)), folder / "trace")
(log,) = (folder / "trace").iterdir()
tlparse = Path(sys.executable).with_name("tlparse")
statuses = []
for number, arguments in enumerate([[log.parent], [log.parent, "--latest"], [log]]):
    command = [tlparse, *arguments, "-o", folder / f"report{number}", "--no-browser"]
    run = subprocess.run(command, capture_output=True, text=True)
    statuses.append(run.returncode)
    _words = " ".join(["$ tlparse", *map(str, arguments)]) + "\n" + run.stderr.splitlines()[0]
    print(_words.replace(log.name, "FILE.log").replace(str(folder), "/tmp"))
# region checks
assert statuses == [1, 1, 0]
# endregion

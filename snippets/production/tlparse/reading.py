# /// lesson
# env = {TORCH_LOGS = "-dynamo"}
# ///
"""Two files of a report: why the graph broke, and why a function was compiled again."""

import subprocess
import sys
import tempfile
from pathlib import Path

import torch
from _traced import call_traced


@torch.compile(backend="aot_eager")
def gate(x, mode):
    h = torch.relu(x)
    print("activated")
    return h * 2 if mode == "double" else h + 1


def call():
    for mode in ("double", "shift"):
        gate(torch.ones(4), mode)


folder = Path(tempfile.mkdtemp())
call_traced(call, folder / "trace")
[log] = (folder / "trace").iterdir()
tlparse = Path(sys.executable).with_name("tlparse")
command = [tlparse, log, "-o", folder / "report", "--no-browser"]
subprocess.run(command, check=True, capture_output=True)

for pattern, count in (("dynamo_graph_break_reason*", 5), ("recompile_reasons*", 1)):
    [file] = (folder / "report").rglob(pattern)
    print(f"--- {file.parent.name}/{file.name}")
    for line in file.read_text().splitlines()[:count]:
        print(line)

# region checks
assert "mode == 'double'" in file.read_text()
# endregion

# /// lesson
# needs = ["compiler"]
# data = ["_starts.py"]
# timeout = 600
# memory = 6144
# env = {TORCHINDUCTOR_CPP_CACHE_PRECOMPILE_HEADERS = "0", AOT_INDUCTOR_COMPILE_WRAPPER_OPT_LEVEL = "O0"}
# varies.output = ['\d+\.\d+']
# varies.values = ["warm", "artifacts", "cold"]
# ///
"""Start one model in several ways, each in a process of its own, and time the first answer."""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

from compile_lessons import Table, show

program = Path(__file__).with_name("_starts.py")
command = [sys.executable, program, tempfile.mkdtemp()]
output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
starts = [json.loads(line) for line in output.splitlines()]
cold, warm, artifacts = (start["seconds"] for start in starts[:3])
rows = [
    [
        f"{start['way']}, {start['folder']}",
        f"{start['seconds']:.2f}",
        f"{start['seconds'] / cold:.2f}",
        start["graphs"],
        start["hits"],
        start["kernels"],
    ]
    for start in starts
]
show(Table(["start, cache folder", "seconds", "of cold", "graphs traced", "hits", "kernels compiled"], rows))
# region checks
assert [row[3:] for row in rows] == [[1, 0, 1], [1, 1, 0], [1, 1, 1], [0, 0, 1], [0, 0, 0], [0, 0, 0], [0, 0, 0]]
# endregion

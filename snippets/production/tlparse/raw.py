# /// lesson
# fork = false
# env = {TORCH_LOGS = "-dynamo"}
# varies.output = ['\d\.\d\d']
# varies.values = ["seconds"]
# ///
"""The log without tlparse: one JSON object per line, and the payload below it."""

import json
import os
import tempfile
from pathlib import Path

folder = tempfile.TemporaryDirectory()
os.environ["TORCH_TRACE"] = folder.name  # before torch is imported
import torch

from compile_lessons import Table, show


@torch.compile(backend="aot_eager")
def gate(x, mode):
    h = torch.relu(x)
    print("activated")
    return h * 2 if mode == "double" else h + 1


for mode in ("double", "shift"):
    gate(torch.ones(4), mode)

[log] = Path(folder.name).iterdir()
rows = []
for line in log.read_text().splitlines():
    if not line.startswith("V") or '"compilation_metrics"' not in line:
        continue
    event = json.loads(line.split("] ", 1)[1])
    metrics = event["compilation_metrics"]
    compile_id = f"{event['frame_id']}/{event['frame_compile_id']}"
    counts = [metrics["graph_op_count"], metrics["guard_count"]]
    seconds = f"{metrics['entire_frame_compile_time_s']:.2f}"
    rows.append([compile_id, event["attempt"], metrics["co_name"], *counts, seconds])
columns = ["compile", "attempt", "function", "operators", "guards", "seconds"]
show(Table(columns, rows))

# region checks
assert [row[:2] for row in rows] == [["0/0", 1], ["1/0", 0], ["1/1", 0]]
assert [row[3] for row in rows] == [1, 1, 1]
# endregion

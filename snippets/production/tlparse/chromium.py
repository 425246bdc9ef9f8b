# /// lesson
# needs = ["compiler"]
# varies.output = ['\d+ ms']
# varies.values = ["milliseconds", "entry", "first_line", "payload"]
# ///
"""The stages of a compile as events: a file for Perfetto, and the outer stages."""

import json
import tempfile
from pathlib import Path

import torch
from _traced import call_traced


@torch.compile
def loss(x):
    return (torch.relu(x) + 1).sum()


folder = Path(tempfile.mkdtemp())
call_traced(lambda: loss(torch.ones(64)), folder)  # TORCH_TRACE=… python …
[log] = folder.iterdir()
events = []
for entry in log.read_text().split("\nV"):
    first_line, _, payload = entry.partition("\n")
    if "chromium_event" in first_line:
        events.append(json.loads(payload))
(folder / "compile.json").write_text(json.dumps(events))  # Perfetto opens this file

running = []
for event in events:
    if event["ph"] == "B":  # a stage begins
        running.append(event)
    elif event["ph"] == "E":  # the stage that began last ends
        begin = running.pop()
        milliseconds = (event["ts"] - begin["ts"]) / 1000
        if len(running) < 4:
            print(f"{'  ' * len(running)}{begin['name']}: {milliseconds:.0f} ms")

# region checks
assert running == []
assert all({"name", "ph", "ts", "pid", "tid"} <= event.keys() for event in events)
names = [event["name"] for event in events if event["ph"] == "B"]
assert {"dynamo", "bytecode_tracing", "backend_compile", "build_guards"} <= set(names)
# endregion

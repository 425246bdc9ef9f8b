# /// lesson
# data = ["h200_walk.recording.json"]
# ///
"""What each call of the recorded log does: warm up, record, or replay."""

import json
import re
from pathlib import Path

from compile_lessons import Diagram, show

recording = Path(__file__).with_name("h200_walk.recording.json").read_text()
log = json.loads(recording)["outputs"][0]["text"]
FUNCTIONS = {"[0/0]": "encode", "[1/0]": "decode"}  # in the order of their first calls
LOGGED = {"Running warmup": "warm-up", "Recording function": "recording"}

boxes = {}
frames = {}
groups = {}
arrows = []
steps = re.split(r"^step \d+\n", log, flags=re.MULTILINE)[1:]
for function_id, function in FUNCTIONS.items():
    for number, lines in enumerate(steps, 1):
        box = f"{function} {number}"
        boxes[box] = f"step {number}"
        frames[box] = function
        groups[box] = "replay"  # prints nothing
        for words, what in LOGGED.items():
            if f"{function_id} {words}" in lines:
                groups[box] = what
        if number > 1:
            arrows.append((f"{function} {number - 1}", box))
show(Diagram(boxes, arrows, groups, frames))
# region checks
kinds = ["warm-up", "recording", "replay", "replay"]
assert list(groups.values()) == [*kinds, *kinds]
# endregion

# /// lesson
# data = ["h200_tree.recording.json"]
# ///
"""The tree of the recordings, as the recorded program printed it."""

import json
from pathlib import Path

from compile_lessons import Diagram, show

recording = Path(__file__).with_name("h200_tree.recording.json").read_text()
lines = json.loads(recording)["outputs"][-1]["text"].splitlines()
boxes = {}
arrows = []
path = []  # the recordings above the next line, by depth
for line in lines:
    name = line.strip()
    depth = (len(line) - len(name)) // 4
    boxes[name] = name.replace(" (", "\n").removesuffix(")")
    path = [*path[:depth], name]
    arrows.extend(zip(path[-2:-1], path[-1:], strict=False))
show(Diagram(boxes, arrows))
# region checks
assert len(boxes) == 4 and len(arrows) == 2
# endregion

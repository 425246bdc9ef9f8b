# /// lesson
# data = ["h200_matmul.recording.json"]
# ///
"""The rates that were recorded on an H200, by the size of the matrices."""

import json
import re
from pathlib import Path

from compile_lessons import show
from compile_lessons.show.charts import Plot

recording = Path(__file__).with_name("h200_matmul.recording.json").read_text()
text = json.loads(recording)["outputs"][0]["text"]
header, _, *lines = (re.split(r" {2,}", line.strip()) for line in text.splitlines())
rates = {}
for column, title in enumerate(header):
    if title.endswith(", TFLOP/s"):
        points = [(float(line[0]), float(line[column])) for line in lines]
        rates[title.removesuffix(", TFLOP/s")] = points
show(Plot({"bfloat16, square matrices": rates}, "size", "TFLOP/s", from_zero=True))
# region checks
assert list(rates) == ["cuBLAS", "pointers", "descriptors"]
assert len(lines) >= 4
# endregion

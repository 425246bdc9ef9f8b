# /// lesson
# data = ["h200_matmul.recording.json"]
# ///
"""The rates that were recorded on an H200, by the size of the matrices."""

import json
import re
from pathlib import Path

from compile_lessons import show
from compile_lessons.show.charts import Plot

recording = json.loads(Path(__file__).with_name("h200_matmul.recording.json").read_text())
header, _, *lines = (re.split(r" {2,}", line.strip()) for line in recording["outputs"][0]["text"].splitlines())
rates = {
    name.removesuffix(", TFLOP/s"): [(float(line[0]), float(line[column])) for line in lines]
    for column, name in enumerate(header)
    if "TFLOP/s" in name
}
show(Plot({"bfloat16, square matrices": rates}, "size", "TFLOP/s", from_zero=True))
# region checks
assert list(rates) == ["cuBLAS", "pointers", "descriptors"] and len(lines) >= 4
# endregion

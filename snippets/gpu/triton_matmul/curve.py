# /// lesson
# data = ["h200_matmul.recording.json"]
# ///
"""The rates that were recorded on an H200, by the size of the matrices."""

import json
from pathlib import Path

from compile_lessons import show
from compile_lessons.plot import Plot

recording = json.loads(Path(__file__).with_name("h200_matmul.recording.json").read_text())
[output] = recording["outputs"]
header, _, *rows = (line.split("  ") for line in output["text"].splitlines())
lines = [name.strip() for name in header if "TFLOP/s" in name]
cells = [[float(cell) for cell in row if cell.strip() and "%" not in cell] for row in rows]
rates = {name.removesuffix(", TFLOP/s"): [(row[0], row[place]) for row in cells] for place, name in enumerate(lines, 1)}
show(Plot({"bfloat16, square matrices": rates}, "size", "TFLOP/s", from_zero=True))
# region checks
assert list(rates) == ["cuBLAS", "pointers", "descriptors"] and len(cells) >= 4
# endregion

# /// lesson
# needs = ["compiler"]
# ///
"""Change a line of the C++ in an output-code file, and compare the results."""

import runpy
import tempfile
from pathlib import Path

import torch

from compile_lessons import Table, capture, show


def brighten(image):
    return (image / 255) ** (1 / 2.2)


image = torch.rand(512, 512) * 255
pipeline = capture(brighten, machine_code=False)(image)
code = pipeline.graphs[0].inductor[0].output_code
edited = code.replace("tmp3.pow(tmp5)", "tmp3.sqrt()")
file = Path(tempfile.mkdtemp()) / "output_code.py"
rows = []
for name, source in {"as written": code, "pow is sqrt": edited}.items():
    file.write_text(source)
    call = runpy.run_path(str(file))["call"]
    [result] = call([image])
    largest = (result - brighten(image)).abs().max().item()
    is_root = torch.allclose(result, (image / 255).sqrt())
    rows.append([name, f"{largest:.1g}", is_root])
show(Table(["the file", "difference from eager", "computes a square root"], rows))
# region checks
assert float(rows[0][1]) < 1e-6
assert float(rows[1][1]) > 0.01
assert [row[2] for row in rows] == [False, True]
# endregion

# /// lesson
# needs = ["compiler"]
# varies.output = ['\d+\.\d+']
# ///
"""Write the output code of a function to a file, and run this file alone."""

import subprocess
import sys
import tempfile
from pathlib import Path

import torch

from compile_lessons import capture


def brighten(image):
    return (image / 255) ** (1 / 2.2)


pipeline = capture(brighten, machine_code=False)(torch.rand(512, 512))
code = pipeline.graphs[0].inductor[0].output_code
file = Path(tempfile.mkdtemp()) / "output_code.py"
file.write_text(code)
command = [sys.executable, str(file), "--times", "5"]
run = subprocess.run(command, capture_output=True, text=True, check=True)
print(f"seconds a call: {run.stdout}")
print(code[code.index("def get_args") :])
# region checks
assert 0 < float(run.stdout) < 60
# endregion

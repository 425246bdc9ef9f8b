# /// lesson
# needs = ["compiler"]
# ///
"""Everything as JSON, read back."""

import tempfile
from pathlib import Path

import torch
from _command import typed

from compile_lessons.facts import Pipeline


def scaled(x):
    return torch.relu(x) * 2


def make_inputs():
    return torch.linspace(-1, 1, 64)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder, "scaled.json")
        status = typed(f"{__file__}:scaled", "--only", "breaks", "--json", str(out))
        pipeline = Pipeline.from_json(out.read_text())
    kernels = [kernel.name for kernel in pipeline.kernels]
    print(pipeline.function, kernels)

# region checks
if __name__ == "__main__":
    assert status == 0 and len(kernels) == 1
# endregion

# /// lesson
# fork = false
# env = {TORCH_LOGS = "recompiles"}
# ///
"""Write a log to a file as well, without torch's prefix on the lines."""

import os
import tempfile
from pathlib import Path

file = Path(tempfile.mkdtemp()) / "compile.log"
os.environ["TORCH_LOGS_OUT"] = str(file)  # before torch is imported
os.environ["TORCH_LOGS_FORMAT"] = "%(levelname)s %(message)s"
import torch


@torch.compile(backend="eager")
def scale(x, name):
    return x * len(name)


for name in ("a", "ab"):
    scale(torch.ones(2), name)
print(f"{file.name} has the same {len(file.read_text().splitlines())} lines")

# region checks
assert "guard failure" in file.read_text()
# endregion

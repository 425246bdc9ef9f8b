# /// lesson
# fork = false
# env = {TORCH_LOGS = "recompiles"}
# ///
"""Write a log to a file as well, without torch's prefix on the lines."""

import os
import tempfile
from pathlib import Path

file = Path(tempfile.mkdtemp()) / "compile.log"
file.write_text("the log of an earlier run\n")
os.environ["TORCH_LOGS_OUT"] = str(file)  # before torch is imported
os.environ["TORCH_LOGS_FORMAT"] = "%(levelname)s %(message)s"
import torch


@torch.compile(backend="eager")
def scale(x, name):
    return x * len(name)


for name in ("a", "ab"):
    scale(torch.ones(2), name)
earlier, *lines = file.read_text().splitlines()
print(f"{file.name} has the same {len(lines)} lines, after {earlier}")

# region checks
assert "guard failure" in file.read_text()
assert "[0/1]" not in file.read_text()  # torch's own format has it
# endregion

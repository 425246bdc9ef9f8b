# /// lesson
# needs = ["triton"]
# env = {TRITON_INTERPRET = "1"}
# ///
"""Softmax as a Triton kernel, run by Triton's interpreter on the CPU."""

from pathlib import Path

import torch
from _step5_launch import FOLDER, backend_on
from _step5_triton import PRELUDE

compiled = torch.compile(torch.softmax, backend=backend_on("cpu"))
x = torch.randn(6, 40)
result = compiled(x, dim=-1)
print(Path(FOLDER.name, "kernels0.py").read_text().removeprefix(PRELUDE))

# region checks
torch.testing.assert_close(result, torch.softmax(x, -1))
assert len(list(Path(FOLDER.name).glob("*.py"))) == 1
# endregion

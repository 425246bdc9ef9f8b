# /// lesson
# needs = ["triton"]
# env = {TRITON_INTERPRET = "1"}
# ///
"""Ten functions through the Triton backend, in Triton's interpreter."""

import torch
from _functions import FUNCTIONS, inputs
from _step5_launch import backend_on

from compile_lessons import Table, show

torch.manual_seed(0)
arguments = inputs(5, 40)
rows = []
for function in FUNCTIONS:
    torch.compiler.reset()
    expected = function(*arguments)
    result = torch.compile(function, backend=backend_on("cpu"))(*arguments)
    torch.testing.assert_close(result, expected)
    rows.append([function.__name__, f"{(result - expected).abs().max().item():.0e}"])
show(Table(["function", "largest difference from eager mode"], rows))
# region checks
assert len(rows) == 10
# endregion

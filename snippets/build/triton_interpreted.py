# /// lesson
# needs = ["triton"]
# env = {TRITON_INTERPRET = "1"}
# ///
"""Ten functions through the Triton backend, in the interpreter, compared with eager mode."""

import torch
from _functions import FUNCTIONS, inputs
from _step5_launch import backend_on

from compile_lessons import Table, show

torch.manual_seed(0)
rows, arguments = [], inputs(5, 40)
for function in FUNCTIONS:
    torch.compiler.reset()
    result, expected = torch.compile(function, backend=backend_on("cpu"))(*arguments), function(*arguments)
    torch.testing.assert_close(result, expected)
    rows.append([function.__name__, f"{(result - expected).abs().max().item():.0e}"])
show(Table(["function", "largest difference from eager mode"], rows))
# region checks
assert len(rows) == 10
# endregion

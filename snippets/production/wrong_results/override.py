# /// lesson
# data = ["_total.py"]
# ///
"""Find the compile with a wrong result without an edit: try other backends."""

import runpy
from pathlib import Path

import torch

from compile_lessons import Table, show

program = Path(__file__).with_name("_total.py")
print(program.read_text().split("\n\n\n", 1)[1])

rows = []
for override in ("", ">=0:eager", "0:eager", "1:eager"):
    torch.compiler.reset()  # as in a new process, the first compile is 0
    # TORCH_COMPILE_OVERRIDE_BACKENDS=…; torch has no public name for this setting
    with torch._dynamo.config.patch(debug_backend_override=override):
        total = runpy.run_path(str(program))["total"]
    rows.append([override, total.item()])
show(Table(["TORCH_COMPILE_OVERRIDE_BACKENDS", "total"], rows))

# region checks
assert [row[1] for row in rows] == [0, 24, 0, 24]
# endregion

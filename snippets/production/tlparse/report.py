# /// lesson
# needs = ["compiler"]
# data = ["_program.py"]
# ///
"""Trace a program with a graph break and a recompile; list the report's files."""

import runpy
import subprocess
import sys
import tempfile
from pathlib import Path

from _traced import call_traced

from compile_lessons import Table, show

program = Path(__file__).with_name("_program.py")
print(program.read_text().split("\n\n\n", 1)[1])

folder = Path(tempfile.mkdtemp())
# TORCH_TRACE=… python …
call_traced(lambda: runpy.run_path(str(program)), folder / "trace")
[log] = (folder / "trace").iterdir()
tlparse = Path(sys.executable).with_name("tlparse")
command = [tlparse, log, "-o", folder / "report", "--no-browser"]
subprocess.run(command, check=True, capture_output=True)

kinds = (
    *("dynamo_graph_break_reason", "recompile_reasons", "dynamo_output_graph"),
    *("dynamo_cpp_guards_str", "aot_forward_graph", "aot_backward_graph"),
    *("inductor_output_code", "compilation_metrics"),
)
compiles = sorted((folder / "report").glob("-_[0-9]*"))
rows = []
for kind in kinds:
    found = ["yes" if list(path.glob(f"{kind}_*")) else "" for path in compiles]
    rows.append([kind, *found])
compile_ids = [path.name[2:].replace("_", "/", 1) for path in compiles]
show(Table(["file", *compile_ids], rows))

# region checks
assert rows[0][1:] == ["yes", "", "", ""]
assert rows[1][1:] == ["", "", "", "yes"]
assert all(row[1:] == ["", "yes", "yes", "yes"] for row in rows[2:])
# endregion

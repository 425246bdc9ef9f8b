# /// lesson
# needs = ["compiler"]
# data = ["_program.py"]
# ///
"""Trace a program that has a graph break and a recompile, and list the files of the report by compile."""

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
call_traced(lambda: runpy.run_path(str(program)), folder / "trace")  # TORCH_TRACE=… python …
(log,) = (folder / "trace").iterdir()
tlparse = Path(sys.executable).with_name("tlparse")
subprocess.run([tlparse, log, "-o", folder / "report", "--no-browser"], check=True, capture_output=True)

wanted = "dynamo_graph_break_reason", "recompile_reasons", "dynamo_output_graph", "dynamo_cpp_guards_str"
wanted += "aot_forward_graph", "aot_backward_graph", "inductor_output_code", "compilation_metrics"
compiles = sorted(path for path in (folder / "report").glob("-_[0-9]*"))
rows = [[kind, *("yes" if list(path.glob(f"{kind}_*")) else "" for path in compiles)] for kind in wanted]
show(Table(["file", *(path.name[2:].replace("_", "/", 1) for path in compiles)], rows))
# region checks
assert rows[0][1:] == ["yes", "", "", ""] and rows[1][1:] == ["", "", "", "yes"]
assert all(row[1:] == ["", "yes", "yes", "yes"] for row in rows[2:])
# endregion

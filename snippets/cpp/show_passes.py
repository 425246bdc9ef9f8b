# /// lesson
# needs = ["compiler"]
# data = [
#   "tiny.h", "tensor.cpp", "graph.cpp", "passes.cpp",
#   "backends.cpp", "codegen.cpp", "main.cpp",
# ]
# timeout = 300
# ///
"""Four passes: 17 nodes become 7."""

import re

from _program import run

output = run("--passes")
counts = re.findall(r"(\d+) -> +(\d+) nodes", output)
steps = [(int(before), int(after)) for before, after in counts]
traced = steps[0][0]
optimized = steps[-1][1]
# region checks
assert (traced, optimized) == (17, 7)
# each pass but folding removes nodes in the first round
assert [after for _, after in steps[:4]] == [17, 16, 13, 7]
# the second round finds nothing
assert all(before == after for before, after in steps[4:])
optimized_graph = output.split("\n\n")[-1]
assert optimized_graph.count("sin(") == optimized_graph.count("cos(") == 1
assert "exp(" not in optimized_graph
assert "constant(6.000000)" in optimized_graph
# endregion

# /// lesson
# needs = ["compiler"]
# data = [
#   "tiny.h", "tensor.cpp", "graph.cpp", "passes.cpp",
#   "backends.cpp", "codegen.cpp", "main.cpp",
# ]
# timeout = 300
# ///
"""The same function by two backends: 15 loops or one, and the same bits."""

from _program import run

output = run("--backends")

# region checks
assert "eager: 15 nodes" in output
assert "cpp:   1 loop\n" in output
assert "equal bit for bit: yes" in output
# endregion

# /// lesson
# needs = ["compiler"]
# data = [
#   "tiny.h", "tensor.cpp", "graph.cpp", "passes.cpp",
#   "backends.cpp", "codegen.cpp", "main.cpp",
# ]
# timeout = 300
# ///
"""The C++ that is generated for two outputs: one loop."""

from _program import run

code = run("--code")

# region checks
assert code.count("for (long k") == 1, "one inner loop"
assert code.count("std::sin") == code.count("std::cos") == 1
assert code.count("store(") == 2
# endregion

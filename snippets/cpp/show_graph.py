# /// lesson
# needs = ["compiler"]
# data = [
#   "tiny.h", "tensor.cpp", "graph.cpp", "passes.cpp",
#   "backends.cpp", "codegen.cpp", "main.cpp",
# ]
# timeout = 300
# ///
"""The graph of a C++ function, traced by calling it."""

from _program import run

graph = run("--graph")

# region checks
operations = [line.split(" = ")[1].split("(")[0] for line in graph.splitlines()[:-1]]
assert sorted(operations) == ["add", "cos", "input", "input", "sin"]
assert "%4 = add(%2, %3)" in graph or "%4 = add(%3, %2)" in graph
# endregion

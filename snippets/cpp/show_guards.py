# /// lesson
# needs = ["compiler"]
# data = [
#   "tiny.h", "tensor.cpp", "graph.cpp", "passes.cpp",
#   "backends.cpp", "codegen.cpp", "main.cpp",
# ]
# timeout = 300
# ///
"""Six calls, four versions, and the guard that failed each time."""

from _program import run

output = run("--guards")
log = output.splitlines()
# region checks
assert log[0] == "compile: first call"
assert len(log) == 5
reasons = [line.split(": ")[2].split()[0] for line in log[1:4]]
assert all(line.startswith("recompile: input 0: ") for line in log[1:4])
assert reasons == ["strides", "shape", "dtype"]
assert log[4] == "6 calls, 4 versions"
# endregion

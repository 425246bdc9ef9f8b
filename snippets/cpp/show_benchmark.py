# /// lesson
# needs = ["compiler"]
# data = [
#   "tiny.h", "tensor.cpp", "graph.cpp", "passes.cpp",
#   "backends.cpp", "codegen.cpp", "main.cpp",
# ]
# timeout = 300
# varies.output = ['[ \d.]+%?']
# varies.values = ["chain_share", "exp_share", "speedup"]
# ///
"""The compiled loop beside the interpreter, and beside copying as many bytes."""

from _program import run

rows = [line.split() for line in run("--benchmark").splitlines()[1:]]
times = {name: (float(eager), float(compiled)) for name, eager, compiled, *_ in rows}
shares = {row[0]: int(row[-1].rstrip("%")) for row in rows}
chain_share = shares["chain"]
exp_share = shares["gelu"]
speedup = times["chain"][0] / times["chain"][1]
# region checks
assert list(times) == ["chain", "gelu"]
# endregion

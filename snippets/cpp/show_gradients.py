# /// lesson
# needs = ["compiler"]
# data = [
#   "tiny.h", "tensor.cpp", "graph.cpp", "passes.cpp",
#   "backends.cpp", "codegen.cpp", "main.cpp",
# ]
# timeout = 300
# ///
"""A training loop: the loss and its gradients are one graph, compiled once."""

import re

from _program import run

output = run("--gradients")
losses = [float(loss) for loss in re.findall(r"loss (\d\.\d+)", output)]
# region checks
assert losses == sorted(losses, reverse=True)
assert losses[-1] < losses[0] / 1000
assert "compiles: 1" in output
assert "10 nodes, with gradients 28, optimized 23, in 4 loops" in output
# endregion

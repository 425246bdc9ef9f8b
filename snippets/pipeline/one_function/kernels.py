# /// lesson
# needs = ["compiler"]
# ///
"""The C++ kernels, one for each graph."""

from gelu import pipeline

for kernel in pipeline.kernels:
    print(kernel.name, kernel.source, sep="\n")

# region checks
forward, backward = pipeline.kernels
assert len(forward.loads) == 1
assert len(forward.stores) == 1
assert len(backward.loads) == 2
assert "exp(" in forward.source
assert "exp(" in backward.source
# endregion

# /// lesson
# needs = ["compiler"]
# ///
"""The C++ kernels, one for each graph."""

from gelu import pipeline

for kernel in pipeline.kernels:
    print(kernel.name, kernel.source, sep="\n")

# region checks
forward, backward = pipeline.kernels
assert (len(forward.loads), len(forward.stores), len(backward.loads)) == (1, 1, 2)
assert all("exp(" in kernel.source for kernel in (forward, backward))
# endregion

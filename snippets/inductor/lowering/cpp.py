# /// lesson
# needs = ["compiler"]
# ///
"""The C++ function: four loops, one after the other."""

from head import lowered

[kernel] = lowered.kernels
print(kernel.source[kernel.source.index("#pragma omp parallel") :])

loops = kernel.source.count("#pragma omp for")
erfs = kernel.source.count(".erf()")
# region checks
assert (loops, erfs) == (3, 3)
assert kernel.source.count("#pragma omp single") == 1
# endregion

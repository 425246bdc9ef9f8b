# /// lesson
# needs = ["compiler"]
# ///
"""The C++ function: four loops, one after the other."""

from head import lowered

[kernel] = lowered.kernels
print(kernel.source[kernel.source.index("#pragma omp parallel") :])

loops, erfs = kernel.source.count("#pragma omp for"), kernel.source.count(".erf()")
# region checks
assert (loops, erfs) == (3, 3) and kernel.source.count("#pragma omp single") == 1
# endregion

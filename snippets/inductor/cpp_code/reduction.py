# /// lesson
# needs = ["compiler"]
# ///
"""The sum of each row."""

import textwrap

import torch

from compile_lessons import capture

torch.set_num_threads(2)  # the code depends on the number
[kernel] = capture(lambda x: x.sum(1), machine_code=False)(torch.randn(64, 1000)).kernels
start, end = kernel.source.index("#pragma omp for"), kernel.source.index("inductor_cpu_integer_div_error_flag = n")
print(textwrap.dedent(" " * 12 + kernel.source[start:end].rstrip().removesuffix("}")).rstrip())
# region checks
assert "vec_reduce_all" in kernel.source and "static_cast<int64_t>(64L)" in kernel.source
# endregion

# /// lesson
# needs = ["compiler"]
# ///
"""The sum of each row."""

import textwrap

import torch

from compile_lessons import capture

torch.set_num_threads(2)  # the code depends on the number
x = torch.randn(64, 1000)
[kernel] = capture(lambda x: x.sum(1), machine_code=False)(x).kernels
start = kernel.source.index("#pragma omp for")
end = kernel.source.index("inductor_cpu_integer_div_error_flag = n")
loop = kernel.source[start:end].rstrip().removesuffix("}")
print(textwrap.dedent(" " * 12 + loop).rstrip())
# region checks
assert "vec_reduce_all" in kernel.source
assert "static_cast<int64_t>(64L)" in kernel.source
# endregion

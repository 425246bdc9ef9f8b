# /// lesson
# needs = ["compiler"]
# ///
"""When a loop is parallel: the threads of PyTorch, and the number of elements."""

import torch

from compile_lessons import Table, capture, show

rows = []
for threads, size in [(2, 1023), (2, 1024), (4, 1024), (1, 1 << 20)]:
    torch.set_num_threads(threads)
    [kernel] = capture(lambda x: x * 2, machine_code=False)(torch.randn(size)).kernels
    parallel = "yes" if "#pragma omp parallel" in kernel.source else "no"
    rows.append([threads, size, size // threads, parallel])
show(Table(["threads", "elements", "elements / threads", "parallel"], rows))
# region checks
assert [row[3] for row in rows] == ["no", "yes", "no", "no"]
# endregion

# /// lesson
# needs = ["compiler"]
# ///
"""An option changes the generated code of one compiled function, and no other's."""

import torch
from torch._inductor.utils import run_and_get_code

from compile_lessons import Table, show


def softmax(x):
    return torch.softmax(x.sin(), -1)


x = torch.linspace(-1, 1, 64 * 64).reshape(64, 64)
rows = []
for options in [None, {"cpp.simdlen": 0}, None]:
    torch.compiler.reset()
    y, [code] = run_and_get_code(torch.compile(softmax, options=options), x)
    torch.testing.assert_close(y, softmax(x))
    rows.append([str(options), code.count("async_compile.cpp_pybinding("), code.count("at::vec::Vectorized")])

show(Table(["options", "kernels", "uses of vector types"], rows))
vectors, scalar_vectors, vectors_again = (row[2] for row in rows)
assert [row[1] for row in rows] == [1, 1, 1]
assert vectors == vectors_again > scalar_vectors == 0

# /// lesson
# needs = ["compiler"]
# ///
"""Three backends, the same result."""

import torch
from torch._inductor.utils import run_and_get_code

from compile_lessons import Table, show


def quick_gelu(x):
    return x * torch.sigmoid(1.702 * x)


x = torch.linspace(-4, 4, 512, requires_grad=True)
expected = quick_gelu(x)
[expected_grad] = torch.autograd.grad(expected.sum(), x)


def forward_and_backward(backend):
    y = torch.compile(quick_gelu, backend=backend)(x)
    node = type(y.grad_fn).__name__
    saved = len(y.grad_fn.saved_tensors) if "Compiled" in node else "by operator"
    torch.testing.assert_close(y, expected)
    torch.testing.assert_close(*torch.autograd.grad(y.sum(), x), expected_grad)
    return node, saved


rows = []
for backend in ["eager", "aot_eager", "inductor"]:
    torch.compiler.reset()
    (node, saved), codes = run_and_get_code(forward_and_backward, backend)
    kernels = sum(code.count("async_compile.cpp_pybinding(") for code in codes)
    rows.append([backend, node, saved, kernels])

show(Table(["backend", "autograd node of the result", "saved tensors", "C++ kernels"], rows))
aot_eager_saved, inductor_saved, inductor_kernels = rows[1][2], rows[2][2], rows[2][3]
assert [row[1] for row in rows] == ["MulBackward0"] + ["CompiledFunctionBackward"] * 2
assert (aot_eager_saved, inductor_saved, [row[3] for row in rows]) == (2, 1, [0, 0, 2])

# /// lesson
# needs = ["compiler"]
# ///
"""Three backends, the same result, and what autograd keeps."""

import torch

from compile_lessons import Table, show


def quick_gelu(x):
    return x * torch.sigmoid(1.702 * x)


x = torch.linspace(-4, 4, 512, requires_grad=True)
rows = []
for backend in ("eager", "aot_eager", "inductor"):
    torch.compiler.reset()
    y = torch.compile(quick_gelu, backend=backend)(x)
    torch.testing.assert_close(y, quick_gelu(x))
    node = type(y.grad_fn).__name__
    saved = "each operator's own"
    if node == "CompiledFunctionBackward":
        saved = len(y.grad_fn.saved_tensors)
    rows.append([backend, node, saved])
show(Table(["backend", "autograd node of the result", "saved tensors"], rows))

# region checks
assert [row[1] for row in rows] == ["MulBackward0"] + ["CompiledFunctionBackward"] * 2
assert [row[2] for row in rows[1:]] == [2, 1]
# endregion

# /// lesson
# needs = ["gpu", "triton"]
# memory = 32768
# varies.output = ['\d+\.\d+']
# varies.values = ["flex_ms", "dense_ms"]
# ///
"""Training steps on an H200, with other documents in each: FlexAttention and SDPA."""

import torch
from functions import attention, dense, tensors
from triton.testing import do_bench

from compile_lessons import Table, keep_graphs, show

torch.set_float32_matmul_precision("high")
length = 4096
inputs = tensors(length, "cuda")
gradient = torch.randn_like(inputs[0])
exact = [tensor.detach().double().requires_grad_() for tensor in inputs]


def step(function, inputs, documents):
    """Return the gradients of q, k, v and the slopes."""
    result = function(*inputs, documents)
    return torch.autograd.grad(result, inputs, gradient.to(result.dtype))


def measure(function, documents):
    """Return ms, MiB at most, and the largest error of a gradient."""
    pairs = zip(
        step(function, inputs, documents), step(dense, exact, documents), strict=True
    )
    error = max(float((a - b).norm() / b.norm()) for a, b in pairs)
    before = torch.cuda.memory_allocated()
    torch.cuda.reset_peak_memory_stats()
    step(function, inputs, documents)
    mib = (torch.cuda.max_memory_allocated() - before) / 2**20
    ms = do_bench(lambda: step(function, inputs, documents), return_mode="median")
    return [f"{ms:.2f}", f"{mib:.0f}", f"{error:.4f}"]


# region steps
kept = keep_graphs(then="inductor")
flex = torch.compile(attention, backend=kept, dynamic=False)
compiled = {"FlexAttention": flex, "SDPA": torch.compile(dense)}
rows = []
for tokens in (300, 700, 1500, 4096):
    documents = torch.arange(length, device="cuda") // tokens
    for name, function in compiled.items():
        rows.append([tokens, name, *measure(function, documents)])
show(Table(["tokens a document", "", "ms", "MiB at most", "gradients off by"], rows))
graphs = len(kept.graphs)
print(f"graphs of FlexAttention: {graphs}")
# endregion
flex_ms = float(rows[0][2])
dense_ms = float(rows[1][2])
flex_mib = int(rows[0][3])
dense_mib = int(rows[1][3])
# region checks
assert graphs == 1
assert dense_mib > 4 * flex_mib
assert max(float(row[4]) for row in rows) < 0.05
# endregion

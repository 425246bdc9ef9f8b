"""The choice of an attention kernel is fixed at compile time, and no guard checks it."""

import torch
import torch.nn.functional as F
from torch._dynamo.backends.common import aot_autograd
from torch.nn.attention import SDPBackend, sdpa_kernel

from compile_lessons import Table, show


def attend(q):
    return F.scaled_dot_product_attention(q, q, q)


def attend_by_math(q):
    with sdpa_kernel(SDPBackend.MATH):
        return F.scaled_dot_product_attention(q, q, q)


def log_kernel(graph_module, example_inputs):
    flash = any("flash" in str(node.target) for node in graph_module.graph.nodes)

    def run(*inputs):
        ran.append("flash attention" if flash else "math")
        return graph_module.forward(*inputs)

    return run


ran, q = [], torch.ones(1, 2, 8, 16)
backend = aot_autograd(fw_compiler=log_kernel)
compiled, inside = torch.compile(attend, backend=backend), torch.compile(attend_by_math, backend=backend)
compiled(q)
with sdpa_kernel(SDPBackend.MATH):
    compiled(q)
inside(q)
calls = ["first call", "then under sdpa_kernel(MATH)", "sdpa_kernel(MATH) in the function"]
show(Table(["call", "runs"], list(zip(calls, ran, strict=True))))
# region checks
assert ran == ["flash attention", "flash attention", "math"]
torch.compiler.reset()
with sdpa_kernel(SDPBackend.MATH):
    compiled(q)
compiled(q)
torch.backends.cuda.enable_flash_sdp(False)
compiled(q)
assert ran[3:] == ["math"] * 3
# endregion

# /// lesson
# env = {KINETO_LOG_LEVEL = "99"}
# ///
"""The choice of an attention kernel is fixed at compile time, and not guarded."""

import torch
import torch.nn.functional as F
from torch.nn.attention import SDPBackend, sdpa_kernel

from compile_lessons import Table, show


def attend(q):
    return F.scaled_dot_product_attention(q, q, q)


def attend_by_math(q):
    with sdpa_kernel(SDPBackend.MATH):
        return F.scaled_dot_product_attention(q, q, q)


def kernel_of(function):
    with torch.profiler.profile() as profile:
        function(torch.ones(1, 2, 8, 16))
    names = [event.key for event in profile.key_averages()]
    return "flash attention" if any("flash" in name for name in names) else "math"


compiled = torch.compile(attend, backend="aot_eager")
compiled_by_math = torch.compile(attend_by_math, backend="aot_eager")
rows = [["first call", kernel_of(compiled)]]
with sdpa_kernel(SDPBackend.MATH):
    rows.append(["then under sdpa_kernel(MATH)", kernel_of(compiled)])
rows.append(["sdpa_kernel(MATH) in the function", kernel_of(compiled_by_math)])
show(Table(["call", "runs"], rows))

# region checks
assert [row[1] for row in rows] == ["flash attention", "flash attention", "math"]
# endregion

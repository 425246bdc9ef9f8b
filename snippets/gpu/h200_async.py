# /// lesson
# needs = ["gpu", "triton"]
# memory = 16384
# ///
"""A clock around a call on a GPU measures the launch, unless something waits."""

from time import perf_counter

import torch
from triton.testing import do_bench

x = torch.randn(8192, 8192, device="cuda")
torch.mm(x, x)  # the first call also loads cuBLAS
torch.cuda.synchronize()

began = perf_counter()
torch.mm(x, x)
returned_ms = (perf_counter() - began) * 1e3
torch.cuda.synchronize()
finished_ms = (perf_counter() - began) * 1e3
measured_ms = do_bench(lambda: torch.mm(x, x), return_mode="median")

print(f"the call returned after {returned_ms:.3f} ms")
print(f"the GPU was done after {finished_ms:.1f} ms")
print(f"do_bench says {measured_ms:.1f} ms")

# region checks
assert returned_ms < finished_ms / 10
assert 0.5 < measured_ms / finished_ms < 2
# endregion

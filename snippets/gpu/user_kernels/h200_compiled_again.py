# /// lesson
# needs = ["gpu", "triton"]
# varies.output = ['\d+\.\d+ ms']
# ///
"""Launches of a Triton kernel that wait for a compile."""

import time

import torch
import triton
import triton.language as tl

from compile_lessons import Table, show


def double(x, out, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + at, tl.load(x + at, at < n) * 2, at < n)


specialized = triton.jit(double)
general = triton.jit(double, do_not_specialize=["n"])

x = torch.randn(2048, device="cuda")
out = torch.empty_like(x)


def milliseconds(kernel, n):
    torch.cuda.synchronize()
    start = time.perf_counter()
    kernel[(triton.cdiv(n, 256),)](x, out, n, BLOCK=256)
    torch.cuda.synchronize()
    return 1e3 * (time.perf_counter() - start)


rows = []
for n in (1024, 1040, 1023, 999, 1, 2048, 77):
    times = [milliseconds(kernel, n) for kernel in (specialized, general)]
    rows.append([n, *(f"{ms:.2f} ms" for ms in times)])
show(Table(["n", "specialized", "do_not_specialize"], rows))
# region checks
waited = [n for n, ms, _ in rows if float(ms.split()[0]) > 5]
assert waited == [1024, 1023, 1]
assert [n for n, _, ms in rows if float(ms.split()[0]) > 5] == [1024]
torch.testing.assert_close(out[:77], 2 * x[:77])
# endregion

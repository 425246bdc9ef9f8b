# /// lesson
# needs = ["triton"]
# env = {TRITON_INTERPRET = "1"}
# ///
"""The gradients of RMSNorm in Triton: a program takes many rows."""

import torch
import triton
import triton.language as tl


# region kernel
@triton.jit
def backward_kernel(
    x_ptr, weight_ptr, dy_ptr, dx_ptr, sums_ptr, rows, columns, eps,
    BLOCK: tl.constexpr, STAGES: tl.constexpr,
):  # fmt: skip
    column = tl.arange(0, BLOCK)
    mask = column < columns
    weight = tl.load(weight_ptr + column, mask, other=0.0).to(tl.float32)
    weight_sum = tl.zeros([BLOCK], tl.float32)
    first = tl.program_id(0).to(tl.int64)
    for row in tl.range(first, rows, tl.num_programs(0), num_stages=STAGES):
        offsets = row * columns + column
        x = tl.load(x_ptr + offsets, mask, other=0.0).to(tl.float32)
        dy = tl.load(dy_ptr + offsets, mask, other=0.0).to(tl.float32)
        scale = tl.rsqrt(tl.sum(x * x, axis=0) / columns + eps)
        normalized = x * scale
        weight_sum += dy * normalized
        gradient = dy * weight
        mean = tl.sum(gradient * normalized, axis=0) / columns
        tl.store(dx_ptr + offsets, scale * (gradient - normalized * mean), mask)
    tl.store(sums_ptr + tl.program_id(0) * columns + column, weight_sum, mask)


# endregion
# region launch
def rms_norm_backward(x, weight, dy, eps=1e-6, programs=264, stages=3):
    """Return the gradients of ``x`` and of the weight. Each program sums some rows."""
    dx = torch.empty_like(x)
    columns = x.shape[-1]
    rows = x.numel() // columns
    sums = torch.empty(programs, columns, device=x.device)
    options = {
        "BLOCK": triton.next_power_of_2(columns),
        "STAGES": stages,
        "num_warps": 8,
    }
    backward_kernel[(programs,)](x, weight, dy, dx, sums, rows, columns, eps, **options)
    return dx, sums.sum(0).to(weight.dtype)


# endregion
if __name__ == "__main__":
    x = torch.randn(9, 1000, requires_grad=True)
    weight = torch.randn(1000, requires_grad=True)
    dy = torch.randn(9, 1000)
    torch.nn.functional.rms_norm(x, (1000,), weight, 1e-6).backward(dy)
    dx, dweight = rms_norm_backward(x.detach(), weight.detach(), dy, programs=4)
    difference = max((dx - x.grad).abs().max(), (dweight - weight.grad).abs().max())
    print(f"the gradients differ from torch's by at most {difference:.0e}")
    # region checks
    torch.testing.assert_close(dx, x.grad, atol=1e-5, rtol=1e-5)
    torch.testing.assert_close(dweight, weight.grad, atol=1e-5, rtol=1e-5)
    # endregion

# /// lesson
# needs = ["triton"]
# env = {TRITON_INTERPRET = "1"}
# ///
"""RMSNorm in Triton: each program normalizes a few rows."""

import torch
import triton
import triton.language as tl


# region kernel
@triton.jit
def rms_norm_kernel(
    x_ptr, weight_ptr, out_ptr, rows, columns, eps,
    ROWS: tl.constexpr, BLOCK: tl.constexpr,
):  # fmt: skip
    row = tl.program_id(0).to(tl.int64) * ROWS + tl.arange(0, ROWS)[:, None]
    column = tl.arange(0, BLOCK)[None, :]
    mask = (row < rows) & (column < columns)
    x = tl.load(x_ptr + row * columns + column, mask, other=0.0).to(tl.float32)
    mean_square = tl.sum(x * x, axis=1, keep_dims=True) / columns
    weight = tl.load(weight_ptr + column, column < columns).to(tl.float32)
    tl.store(
        out_ptr + row * columns + column, x * tl.rsqrt(mean_square + eps) * weight, mask
    )


# endregion


def rms_norm(x, weight, eps=1e-6, rows_each=None, warps=None):
    out = torch.empty_like(x)
    columns = x.shape[-1]
    rows = x.numel() // columns
    block = triton.next_power_of_2(columns)
    rows_each = rows_each or max(1, 2048 // block)
    warps = warps or min(max(block * rows_each // 512, 4), 16)
    grid = (triton.cdiv(rows, rows_each),)
    options = {"ROWS": rows_each, "BLOCK": block, "num_warps": warps}
    rms_norm_kernel[grid](x, weight, out, rows, columns, eps, **options)
    return out


if __name__ == "__main__":
    x = torch.randn(7, 1000)
    weight = torch.randn(1000)
    expected = torch.nn.functional.rms_norm(x, (1000,), weight, 1e-6)
    difference = (rms_norm(x, weight) - expected).abs().max().item()
    print(f"differs from torch's by at most {difference:.0e}")
    # region checks
    assert difference < 1e-5
    # endregion

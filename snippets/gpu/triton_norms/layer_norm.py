# /// lesson
# needs = ["triton"]
# env = {TRITON_INTERPRET = "1"}
# ///
"""Layer norm in Triton: two reductions over a row that is read once."""

import torch
import triton
import triton.language as tl


# region kernel
@triton.jit
def layer_norm_kernel(
    x_ptr, weight_ptr, bias_ptr, out_ptr, columns, eps, BLOCK: tl.constexpr
):
    column = tl.arange(0, BLOCK)
    mask = column < columns
    offsets = tl.program_id(0).to(tl.int64) * columns + column
    x = tl.load(x_ptr + offsets, mask, other=0.0).to(tl.float32)
    centered = tl.where(mask, x - tl.sum(x, axis=0) / columns, 0.0)
    variance = tl.sum(centered * centered, axis=0) / columns
    weight = tl.load(weight_ptr + column, mask).to(tl.float32)
    bias = tl.load(bias_ptr + column, mask).to(tl.float32)
    tl.store(
        out_ptr + offsets, centered * tl.rsqrt(variance + eps) * weight + bias, mask
    )


# endregion


def layer_norm(x, weight, bias, eps=1e-5, warps=None):
    out = torch.empty_like(x)
    columns = x.shape[-1]
    rows = x.numel() // columns
    block = triton.next_power_of_2(columns)
    warps = warps or min(max(block // 512, 4), 16)
    options = {"BLOCK": block, "num_warps": warps}
    layer_norm_kernel[(rows,)](x, weight, bias, out, columns, eps, **options)
    return out


if __name__ == "__main__":
    torch.manual_seed(0)
    x = torch.randn(7, 1000) + 100
    weight = torch.randn(1000)
    bias = torch.randn(1000)
    expected = torch.nn.functional.layer_norm(x, (1000,), weight, bias)
    difference = (layer_norm(x, weight, bias) - expected).abs().max().item()
    print(f"differs from torch's by at most {difference:.0e}")
    # region checks
    assert difference < 1e-3
    # endregion

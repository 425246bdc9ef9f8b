"""A matrix-vector product with int8 weights that takes four of them at a time."""

import torch
import triton
import triton.language as tl

# Four bfloat16 numbers become four float16 numbers, divided by 16.
TO_HALVES: tl.constexpr = tl.constexpr("""{
    .reg .b32 lo, hi, t; .reg .f32 a, b, c, d;
    mov.b64 {lo, hi}, $1;
    shl.b32 t, lo, 16; mov.b32 a, t; and.b32 t, lo, 0xffff0000; mov.b32 b, t;
    shl.b32 t, hi, 16; mov.b32 c, t; and.b32 t, hi, 0xffff0000; mov.b32 d, t;
    mul.f32 a, a, 0.0625; mul.f32 b, b, 0.0625;
    mul.f32 c, c, 0.0625; mul.f32 d, d, 0.0625;
    cvt.rn.f16x2.f32 lo, b, a; cvt.rn.f16x2.f32 hi, d, c;
    mov.b64 $0, {lo, hi};
}""")
# A byte u becomes the float16 number 1024 + u: its bits are 0x6400 + u. So four codes
# become float16 with two permutes, and u = code + 128, so 1152 is subtracted.
DOT_OF_FOUR: tl.constexpr = tl.constexpr("""{
    .reg .b32 lo, hi, t, p, q, m; .reg .b16 h, g; .reg .f32 f, e;
    mov.b64 {lo, hi}, $3; mov.b32 m, 0xE480E480;
    xor.b32 t, $2, 0x80808080;
    prmt.b32 p, t, 0x64646464, 0x4140; prmt.b32 q, t, 0x64646464, 0x4342;
    add.rn.f16x2 p, p, m; add.rn.f16x2 q, q, m;
    mul.rn.f16x2 p, p, lo; fma.rn.f16x2 p, q, hi, p;
    mov.b32 {h, g}, p; cvt.f32.f16 f, h; cvt.f32.f16 e, g;
    add.f32 f, f, e; add.f32 $0, $1, f;
}""")


@triton.jit
def packed_kernel(
    x, weight, scale, out, FOURS: tl.constexpr, ROWS: tl.constexpr, BLOCK: tl.constexpr
):
    """Compute ROWS rows of FOURS times four weights each."""
    rows = tl.program_id(0) * ROWS + tl.arange(0, ROWS)
    sums = tl.zeros((ROWS, BLOCK), tl.float32)
    for start in tl.static_range(0, FOURS, BLOCK):
        columns = start + tl.arange(0, BLOCK)
        inside = columns < FOURS
        at = weight + rows[:, None] * FOURS + columns[None, :]
        codes = tl.load(at, inside[None, :], 0, eviction_policy="evict_first")
        four = tl.load(x + columns, inside, 0)
        four = tl.inline_asm_elementwise(
            TO_HALVES, "=l,l", [four], dtype=tl.int64, is_pure=True, pack=1
        )
        four = tl.broadcast_to(four[None, :], (ROWS, BLOCK))
        sums = tl.inline_asm_elementwise(
            DOT_OF_FOUR,
            "=f,f,r,l",
            [sums, codes, four],
            dtype=tl.float32,
            is_pure=True,
            pack=1,
        )
    y = tl.sum(sums, 1) * 16 * tl.load(scale + rows)
    tl.store(out + rows, y.to(out.dtype.element_ty))


def packed_matvec(x, weight, scale, ROWS, BLOCK, num_warps):
    """Return ``weight @ x * scale`` for codes of int8 and one token of bfloat16."""
    rows, width = weight.shape
    out = torch.empty(rows, device=x.device, dtype=x.dtype)
    words = weight.view(torch.int32)
    fours = x.view(torch.int64)
    packed_kernel[(rows // ROWS,)](
        fours, words, scale, out, width // 4, ROWS, BLOCK, num_warps=num_warps
    )
    return out

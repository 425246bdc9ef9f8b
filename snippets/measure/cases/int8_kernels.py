# /// lesson
# needs = ["gpu", "triton"]
# timeout = 240
# ///
"""Read the weights of a layer once: bfloat16, int8, and int8 four at a time."""

from functools import partial

import torch
from _matvec import matvec
from _packed import packed_matvec
from triton.testing import do_bench

from compile_lessons import Table, show

# rows, columns, and how the packed kernel divides them
products = {
    "qkv": (12288, 4096, (8, 1024, 8)),
    "o": (4096, 4096, (2, 1024, 4)),
    "gate and up": (22016, 4096, (2, 1024, 2)),
    "down": (4096, 11008, (4, 256, 4)),
}


def milliseconds(function, weights):
    """Return the time for all weights in one CUDA graph, so that no launch is seen."""

    def read_all():
        for weight in weights:
            function(weight)

    read_all()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        read_all()
    return do_bench(graph.replay, rep=50, return_mode="median")


source = torch.zeros(2**31, dtype=torch.uint8, device="cuda")
target = torch.empty_like(source)
copy = 2 * source.nbytes / do_bench(lambda: target.copy_(source), return_mode="median")
rows = []
shares = {}
for name, (height, width, division) in products.items():
    x = torch.randn(width, device="cuda", dtype=torch.bfloat16)
    scale = torch.rand(height, device="cuda") / 1000
    count = 300_000_000 // (height * width)  # more than the L2 cache holds
    weights = torch.randint(-127, 128, (count, height, width), device="cuda").char()
    wide = weights.bfloat16()
    ROWS, BLOCK, num_warps = division
    packed = partial(
        packed_matvec, x, scale=scale, ROWS=ROWS, BLOCK=BLOCK, num_warps=num_warps
    )
    kernels = {
        "bfloat16": (partial(matvec, x[None]), wide),
        "int8": (partial(matvec, x[None], scale=scale), weights),
        "four at a time": (packed, weights),
    }
    expected = weights[0].float() @ x.float() * scale
    for kernel, (function, read) in kernels.items():
        result = function(read[0]).flatten().float()
        result = result * scale if kernel == "bfloat16" else result
        torch.testing.assert_close(result, expected, rtol=0.02, atol=0.02)
        shares[name, kernel] = read.nbytes / milliseconds(function, read) / copy
    cells = [f"{shares[name, kernel]:.0%}" for kernel in kernels]
    rows.append([name, f"{height * width / 1e6:.0f} MB", *cells])
show(Table(["product", "int8 weights", *kernels], rows))
# region checks
bf16_share = shares["gate and up", "bfloat16"]
int8_share = shares["gate and up", "int8"]
packed_share = shares["gate and up", "four at a time"]
small_share = shares["o", "four at a time"]
small_bf16_share = shares["o", "bfloat16"]
assert bf16_share > packed_share > int8_share
# endregion

# /// lesson
# needs = ["gpu", "triton"]
# memory = 16384
# env = {TORCH_LOGS_FORMAT = "%(message)s"}
# ///
"""CUDA graphs for four sizes alone: cudagraph_capture_sizes, and padding to them."""

import torch
from torch._inductor.utils import fresh_cache  # private: no public empty cache
from torch.profiler import ProfilerActivity, profile

from compile_lessons import Table, show

SIZES = (256, 512, 768, 1024)
setting = "triton.cudagraph_capture_sizes"
layers = [torch.nn.Linear(1024, 1024), torch.nn.GELU()] * 2
model = torch.nn.Sequential(*layers).cuda().requires_grad_(False)


def pad(x):
    """Add rows of zeros up to the next of the sizes."""
    rows = min(size for size in SIZES if size >= len(x))
    return torch.nn.functional.pad(x, (0, 0, 0, rows - len(x)))


def launches(compiled, size, padded):
    """Return how many CUDA graphs the third call with a size launches."""
    x = torch.randn(size, 1024, device="cuda")
    for _ in range(2):
        compiled(pad(x) if padded else x)
    with profile(activities=[ProfilerActivity.CUDA], acc_events=True) as profiler:
        compiled(pad(x) if padded else x)
        torch.cuda.synchronize()
    averages = profiler.key_averages()
    return sum(one.count for one in averages if one.key == "cudaGraphLaunch")


def try_sizes(name, patch, options, padded=False):
    torch.compiler.reset()
    options = {"triton.cudagraphs": True, **options}
    with torch._inductor.config.patch(patch), fresh_cache():
        compiled = torch.compile(model, options=options, dynamic=True)
        counts = [launches(compiled, size, padded) for size in (200, 256, 300, 512)]
    return [name, *counts]


rows = [
    try_sizes("no setting", {}, {}),
    try_sizes("in torch._inductor.config", {setting: SIZES}, {}),
    try_sizes("in torch._inductor.config, padded", {setting: SIZES}, {}, padded=True),
    try_sizes("in options", {}, {setting: SIZES}),
]
show(Table(["cudagraph_capture_sizes", "200", "256", "300", "512"], rows))
# region checks
assert rows[0][1:] == [1, 1, 1, 1]
assert rows[1][1:] == [0, 1, 0, 1]
# endregion

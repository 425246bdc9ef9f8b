# /// lesson
# needs = ["gpu", "triton"]
# memory = 16384
# env = {TORCH_LOGS_FORMAT = "%(message)s"}
# ///
"""CUDA graphs for four sizes alone: cudagraph_capture_sizes, and padding to them."""

import torch
from _launches import graphs_launched
from torch._inductor.utils import fresh_cache  # private: no public empty cache

from compile_lessons import Table, show

# region pad
SIZES = (256, 512, 768, 1024)


def pad(x):
    """Add rows of zeros up to the next of the sizes."""
    rows = min(size for size in SIZES if size >= len(x))
    return torch.nn.functional.pad(x, (0, 0, 0, rows - len(x)))


# endregion
layers = [torch.nn.Linear(1024, 1024), torch.nn.GELU()] * 2
model = torch.nn.Sequential(*layers).cuda().requires_grad_(False)


def launches_by_size(compiled, padded):
    """Return how many CUDA graphs the third call with each size launches."""
    counts = []
    for size in (200, 256, 300, 512):
        x = torch.randn(size, 1024, device="cuda")
        batch = pad(x) if padded else x
        compiled(batch)  # warms up
        compiled(batch)  # records
        counts.append(graphs_launched(compiled, batch))
    return counts


# region attempts
def attempt(name, config=None, options=None, padded=False):
    torch.compiler.reset()
    options = {"triton.cudagraphs": True} | (options or {})
    with torch._inductor.config.patch(config or {}), fresh_cache():
        compiled = torch.compile(model, options=options, dynamic=True)
        return [name, *launches_by_size(compiled, padded)]


setting = {"triton.cudagraph_capture_sizes": SIZES}
rows = [
    attempt("no setting"),
    attempt("in torch._inductor.config", config=setting),
    attempt("in torch._inductor.config, padded", config=setting, padded=True),
    attempt("in options", options=setting),
]
show(Table(["cudagraph_capture_sizes", "200", "256", "300", "512"], rows))
# endregion
# region checks
assert rows[0][1:] == [1, 1, 1, 1]
assert rows[1][1:] == [0, 1, 0, 1]
# endregion

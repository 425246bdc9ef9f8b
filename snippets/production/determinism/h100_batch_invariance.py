# /// lesson
# needs = ["gpu", "triton"]
# memory = 16384
# timeout = 240
# env = {PYTHONWARNINGS = "ignore"}
# ///
"""The same row, in a batch of 1 and in larger batches, on an H100."""

from contextlib import redirect_stderr
from functools import partial
from io import StringIO

import torch
import torch.nn.functional as F

from compile_lessons import Table, show

# private: no errors of candidates that need too much shared memory
torch._logging.set_logs(inductor=50)
torch.manual_seed(0)
# region operations
random = partial(torch.randn, device="cuda", dtype=torch.bfloat16)
up = random(4096, 1024) / 32
down = random(1024, 4096) / 64
gain = random(1024)
vectors = random(512, 1024)
heads = random(512, 8, 128, 64)  # 8 heads of 128 tokens
operations = {
    "rms_norm": (lambda x: F.rms_norm(x, (1024,), gain), vectors),
    "softmax": (lambda x: x.softmax(-1), vectors),
    "linear": (lambda x: F.linear(x, up), vectors),
    "MLP": (lambda x: x + F.linear(F.gelu(F.linear(x, up)), down), vectors),
    "attention": (
        lambda x: F.scaled_dot_product_attention(x, x, x, is_causal=True),
        heads,
    ),
}
# endregion


# region compare
def equal_sizes(function, rows):
    """Return the sizes of the batches that give row 0 the bits of a batch of 1."""
    with redirect_stderr(StringIO()):  # without the log of the candidates
        alone = function(rows[:1])[0]
        results = {size: function(rows[:size])[0] for size in (2, 8, 64, 512)}
    return [size for size, result in results.items() if torch.equal(result, alone)]


modes = {
    "eager": None,
    "compiled": {"dynamic": False},
    "dynamic=True": {"dynamic": True},
    "max-autotune": {"dynamic": False, "mode": "max-autotune-no-cudagraphs"},
}
table = []
for name, (function, inputs) in operations.items():
    cells = [name]
    for options in modes.values():
        torch.compiler.reset()
        run = torch.compile(function, **options) if options else function
        cells.append(" ".join(map(str, equal_sizes(run, inputs))) or "none")
    table.append(cells)
show(Table(["row 0 equals the row alone in batches of", *modes], table))
# endregion

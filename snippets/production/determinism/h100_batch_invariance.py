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
SIZES = 1, 2, 8, 64, 512
make = partial(torch.randn, device="cuda", dtype=torch.bfloat16)
up, down, gain = make(4096, 1024) / 32, make(1024, 4096) / 64, make(1024)
vectors, heads = make(512, 1024), make(512, 8, 128, 64)  # 8 heads of 128 tokens
functions = {
    "rms_norm": lambda x: F.rms_norm(x, (1024,), gain),
    "softmax": lambda x: x.softmax(-1),
    "linear": lambda x: F.linear(x, up),
    "MLP": lambda x: x + F.linear(F.gelu(F.linear(x, up)), down),
    "attention": lambda x: F.scaled_dot_product_attention(x, x, x, is_causal=True),
}
runs = {
    "eager": lambda function: function,
    "compiled": partial(torch.compile, dynamic=False),
    "dynamic=True": partial(torch.compile, dynamic=True),
    "max-autotune": partial(
        torch.compile, dynamic=False, mode="max-autotune-no-cudagraphs"
    ),
}
rows = [[name] for name in functions]
for row, (name, function) in zip(rows, functions.items(), strict=True):
    for run in runs.values():
        torch.compiler.reset()
        call, x = run(function), heads if name == "attention" else vectors
        with redirect_stderr(StringIO()):  # without the log of the candidates
            alone, *larger = [call(x[:size])[0] for size in SIZES]
        equal = [
            str(size)
            for size, result in zip(SIZES[1:], larger, strict=True)
            if torch.equal(result, alone)
        ]
        row.append(" ".join(equal) or "none")
show(Table(["row 0 equals the row alone in batches of", *runs], rows))

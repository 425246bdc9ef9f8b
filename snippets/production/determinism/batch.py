# /// lesson
# needs = ["compiler"]
# timeout = 300
# ///
"""The same row, alone and in a batch of 8."""

import torch
import torch.nn.functional as F

from compile_lessons import Table, show

torch.manual_seed(0)
up = torch.randn(512, 128) / 11  # about 128**0.5
down = torch.randn(128, 512) / 22  # about 512**0.5


# region functions
def compute(x):
    hidden = F.gelu(F.linear(x, up.to(x.dtype)))
    heads = F.linear(x, up.to(x.dtype)).view(-1, 2, 4, 64)  # two heads, four tokens
    return {
        "gelu": F.gelu(x),
        "softmax": x.softmax(-1),
        "rms_norm": F.rms_norm(x, (128,)),
        "layer_norm": F.layer_norm(x, (128,)),
        "linear, gelu": hidden,
        "MLP": x + F.linear(hidden, down.to(x.dtype)),
        "attention": F.scaled_dot_product_attention(heads, heads, heads),
    }


def compare(function, x):
    """Return by name whether row 0 of a batch equals the row computed alone."""
    alone = function(x[:1])
    in_batch = function(x)
    return {name: torch.equal(alone[name][0], in_batch[name][0]) for name in alone}


# endregion
compiled = torch.compile(compute, dynamic=False)
runs = {}
for dtype in (torch.float32, torch.bfloat16):
    x = torch.randn(8, 128, dtype=dtype)
    runs[f"eager, {str(dtype)[6:]}"] = compare(compute, x)
    runs[f"compiled, {str(dtype)[6:]}"] = compare(compiled, x)
rows = []
for name in runs["eager, float32"]:
    rows.append([name, *("equal" if run[name] else "differs" for run in runs.values())])
show(Table(["row 0 of 8, compared with the row alone", *runs], rows))

# region checks
assert all(run["gelu"] for run in runs.values())
for name in ("linear, gelu", "MLP"):
    assert not runs["eager, float32"][name]
    assert not runs["compiled, float32"][name]
# endregion

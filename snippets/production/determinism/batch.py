# /// lesson
# needs = ["compiler"]
# timeout = 300
# ///
"""The same row, alone and in a batch of 8."""

import torch
import torch.nn.functional as F

from compile_lessons import Table, show

torch.manual_seed(0)
up, down = torch.randn(512, 128) / 11, torch.randn(128, 512) / 22


def functions(x):
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


rows = {}
for dtype in (torch.float32, torch.bfloat16):
    x = torch.randn(8, 128, dtype=dtype)
    for function in (functions, torch.compile(functions, dynamic=False)):
        alone, in_eight = function(x[:1]), function(x)
        for name in alone:
            equal = torch.equal(alone[name][0], in_eight[name][0])
            rows.setdefault(name, [name]).append("equal" if equal else "differs")
titles = [f"{run}, {dtype}" for dtype in ("float32", "bfloat16") for run in ("eager", "compiled")]
show(Table(["row 0 of 8, compared with the row alone", *titles], rows.values()))
# region checks
assert all(cell == "equal" for cell in rows["gelu"][1:])
assert all(rows[name][column] == "differs" for name in ("linear, gelu", "MLP") for column in (1, 2))
# endregion

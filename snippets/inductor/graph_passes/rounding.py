# /// lesson
# needs = ["compiler"]
# ///
"""A conversion to another dtype and back: how many of 1,000 numbers differ from eager mode's."""

import warnings

import torch

from compile_lessons import Table, show


def there_and_back(x, dtype):
    return x.to(dtype).to(x.dtype)


warnings.simplefilter("ignore")
torch.manual_seed(0)
x, rows = torch.randn(1000), []
chains = [
    (torch.float32, torch.bfloat16),
    (torch.float32, torch.float16),
    (torch.float16, torch.bfloat16),
    (torch.float64, torch.float32),
    (torch.float32, torch.int8),
    (torch.float32, torch.float8_e4m3fn),
]
for outer, inner in chains:
    value, row = x.to(outer), [f"{outer} → {inner} → {outer}".replace("torch.", "")]
    for emulate in (False, True):
        torch.compiler.reset()
        compiled = torch.compile(there_and_back, options={"emulate_precision_casts": emulate})
        row.append((compiled(value, inner) != there_and_back(value, inner)).sum().item())
    rows.append(row)
show(Table(["conversions", "differ", "with emulate_precision_casts"], rows))
# region checks
assert all(row[1] > 800 for row in rows[:3]) and not any(row[1] for row in rows[3:])
assert not any(row[2] for row in rows)
# endregion

# /// lesson
# needs = ["compiler"]
# ///
"""A conversion to a different dtype and back: how many of 1,000 numbers differ from eager mode's."""

import warnings

import torch

from compile_lessons import Table, show


def there_and_back(values):
    return [value.to(inner).to(value.dtype) for value, (_, inner) in zip(values, chains, strict=True)]


warnings.simplefilter("ignore")
torch.manual_seed(0)
chains = [
    (torch.float32, torch.bfloat16),
    (torch.float32, torch.float16),
    (torch.float16, torch.bfloat16),
    (torch.float64, torch.float32),
    (torch.float32, torch.int8),
    (torch.float32, torch.float8_e4m3fn),
]
values = [torch.randn(1000).to(outer) for outer, _ in chains]
rows = [[f"{outer} → {inner} → {outer}".replace("torch.", "")] for outer, inner in chains]
for emulate in (False, True):
    torch.compiler.reset()
    compiled = torch.compile(there_and_back, options={"emulate_precision_casts": emulate})
    for row, result, expected in zip(rows, compiled(values), there_and_back(values), strict=True):
        row.append((result != expected).sum().item())
show(Table(["conversions", "differ", "with emulate_precision_casts"], rows))
# region checks
assert all(row[1] > 800 for row in rows[:3]) and not any(row[1] for row in rows[3:])
assert not any(row[2] for row in rows)
# endregion

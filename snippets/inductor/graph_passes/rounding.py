# /// lesson
# needs = ["compiler"]
# ///
"""A conversion to a different dtype and back: how many of 1,000 numbers differ."""

import warnings

import torch

from compile_lessons import Table, show

warnings.simplefilter("ignore")
torch.manual_seed(0)
# region conversions
conversions = [
    (torch.float32, torch.bfloat16),
    (torch.float32, torch.float16),
    (torch.float16, torch.bfloat16),
    (torch.float64, torch.float32),
    (torch.float32, torch.int8),
    (torch.float32, torch.float8_e4m3fn),
]
values = [torch.randn(1000).to(outer) for outer, _ in conversions]


def there_and_back(values):
    dtypes = [inner for _, inner in conversions]
    pairs = zip(values, dtypes, strict=True)
    return [value.to(inner).to(value.dtype) for value, inner in pairs]


# endregion
def count_different(emulate):
    options = {"emulate_precision_casts": emulate}
    compiled = torch.compile(there_and_back, options=options)(values)
    pairs = zip(compiled, there_and_back(values), strict=True)
    return [(result != expected).sum().item() for result, expected in pairs]


names = [f"{outer} → {inner} → {outer}" for outer, inner in conversions]
names = [name.replace("torch.", "") for name in names]
counts = [count_different(emulate) for emulate in (False, True)]
rows = list(zip(names, *counts, strict=True))
show(Table(["conversions", "differ", "with emulate_precision_casts"], rows))
# region checks
assert all(row[1] > 800 for row in rows[:3])
assert not any(row[1] for row in rows[3:])
assert not any(row[2] for row in rows)
# endregion

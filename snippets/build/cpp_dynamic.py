# /// lesson
# needs = ["compiler"]
# data = ["_step4_prelude.h"]
# ///
"""A size that changes becomes a parameter of the C++ function."""

import torch
from _kept_sources import keep_sources
from _step4_backend import backend

sources = keep_sources()


def scaled(x, bias):
    return torch.relu(x * 2 + bias)


compiled = torch.compile(scaled, backend=backend)
for rows in (4, 5, 600, 0):
    x = torch.randn(rows, 8)
    bias = torch.randn(8)
    equal = torch.equal(compiled(x, bias), scaled(x, bias))
    print(f"{rows} rows: equal to eager mode: {equal}; C++ functions: {len(sources)}")
print(sources[1])
# region checks
assert equal
assert len(sources) == 3  # 0 rows have their own version
# endregion

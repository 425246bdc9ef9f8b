# /// lesson
# needs = ["compiler"]
# data = ["_step4_prelude.h"]
# ///
"""A size that changes becomes a parameter of the C++ function."""

import _step4_backend
import torch

sources = []
compile_cpp = _step4_backend.compile_cpp
_step4_backend.compile_cpp = lambda source: sources.append(source) or compile_cpp(source)


def scaled(x, bias):
    return torch.relu(x * 2 + bias)


compiled = torch.compile(scaled, backend=_step4_backend.backend)
for rows in (4, 5, 600, 0):
    x, bias = torch.randn(rows, 8), torch.randn(8)
    equal = torch.equal(compiled(x, bias), scaled(x, bias))
    print(f"{rows} rows: equal to eager mode: {equal}; C++ functions so far: {len(sources)}")
print(sources[1])
# region checks
assert equal and len(sources) == 3  # 0 rows have their own version
# endregion

# /// lesson
# needs = ["compiler"]
# data = ["_step4_prelude.h"]
# ///
"""Softmax as one loop nest."""

import torch
from _kept_sources import keep_sources
from _step4_backend import backend

sources = keep_sources()
x = torch.randn(1000, 512)
result = torch.compile(torch.softmax, backend=backend)(x, dim=-1)
[source] = sources
print(source)

passes = source.count("omp simd")
# region checks
assert passes == 3
assert source.count('extern "C"') == 1
torch.testing.assert_close(result, torch.softmax(x, -1))
# endregion

# /// lesson
# needs = ["compiler"]
# data = ["_step4_prelude.h"]
# ///
"""Softmax as one loop nest."""

import _step4_backend
import torch

sources = []
compile_cpp = _step4_backend.compile_cpp
_step4_backend.compile_cpp = lambda source: sources.append(source) or compile_cpp(source)

x = torch.randn(1000, 512)
result = torch.compile(torch.softmax, backend=_step4_backend.backend)(x, dim=-1)
print(sources[0])

passes = sources[0].count("omp simd")
# region checks
assert len(sources) == 1 and passes == 3 and sources[0].count('extern "C"') == 1
torch.testing.assert_close(result, torch.softmax(x, -1))
# endregion

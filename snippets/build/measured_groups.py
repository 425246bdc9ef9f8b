# /// lesson
# needs = ["compiler"]
# data = ["_step4_prelude.h"]
# ///
"""Ten functions in one graph share a shape and their inputs, so they become one C++ function."""

import _step4_backend
import torch
from _functions import FUNCTIONS, inputs

from compile_lessons import Table, show

sources = []
compile_cpp = _step4_backend.compile_cpp
_step4_backend.compile_cpp = lambda source: sources.append(source) or compile_cpp(source)


def all_ten(x, y, bias):
    return [function(x, y, bias) for function in FUNCTIONS]


rows, arguments = [], inputs(8, 64)
results = torch.compile(all_ten, backend=_step4_backend.backend)(*arguments)
lines = sources[0].splitlines()
loops = sum(line.strip().startswith("for (") for line in lines)
functions = sources[0].count('extern "C"')
show(Table(["Python functions", "C++ functions", "loops"], [[len(FUNCTIONS), functions, loops]]))
# region checks
for result, expected in zip(results, all_ten(*arguments), strict=True):
    torch.testing.assert_close(result, expected)
assert functions == 1
# endregion

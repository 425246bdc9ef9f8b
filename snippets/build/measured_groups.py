# /// lesson
# needs = ["compiler"]
# data = ["_step4_prelude.h"]
# ///
"""Ten functions in one graph share a shape and inputs, so they become one function."""

import torch
from _functions import FUNCTIONS, inputs
from _kept_sources import keep_sources
from _step4_backend import backend

from compile_lessons import Table, show

sources = keep_sources()


def all_ten(x, y, bias):
    return [function(x, y, bias) for function in FUNCTIONS]


arguments = inputs(8, 64)
results = torch.compile(all_ten, backend=backend)(*arguments)
[source] = sources
functions = source.count('extern "C"')
loops = sum(line.strip().startswith("for (") for line in source.splitlines())
row = [len(FUNCTIONS), functions, loops]
show(Table(["Python functions", "C++ functions", "loops"], [row]))
# region checks
for result, expected in zip(results, all_ten(*arguments), strict=True):
    torch.testing.assert_close(result, expected)
assert functions == 1
# endregion

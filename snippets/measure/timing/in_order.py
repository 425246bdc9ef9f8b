# /// lesson
# fork = false
# varies.output = ['\d[\d.,]* ms']
# varies.values = ["milliseconds", "began"]
# ///
"""Wrong: two compile times, taken in one process. The first pays for both."""

import sys
from time import perf_counter

import torch


def first(x):
    return torch.relu(x) + 1


def second(x):
    return torch.relu(x) + 1


imported = []
for function in (first, second):
    compiled = torch.compile(function, backend="aot_eager")
    modules = len(sys.modules)
    began = perf_counter()
    compiled(torch.ones(8))
    milliseconds = (perf_counter() - began) * 1e3
    imported.append(len(sys.modules) - modules)
    print(
        f"{function.__name__:7} {milliseconds:7.0f} ms, {imported[-1]} modules imported"
    )

# region checks
assert imported[0] > 10
assert imported[1] == 0
# endregion

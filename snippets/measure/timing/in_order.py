# /// lesson
# varies.output = ['\d[\d.,]* ms']
# varies.values = ["first_ms", "second_ms", "began"]
# ///
"""Wrong: two compile times, taken one after the other in one process. The first one pays for both."""

from time import perf_counter

import torch


def first(x):
    return torch.relu(x) + 1


def second(x):
    return torch.relu(x) + 1


milliseconds = []
for function in (first, second):
    compiled = torch.compile(function, backend="aot_eager")
    began = perf_counter()
    compiled(torch.ones(8))
    milliseconds.append((perf_counter() - began) * 1e3)
    print(f"{function.__name__:7} {milliseconds[-1]:7.0f} ms")
first_ms, second_ms = milliseconds

# region checks
assert first_ms > 2 * second_ms  # imports, mainly
# endregion

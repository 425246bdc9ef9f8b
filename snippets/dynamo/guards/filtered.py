"""A guard removed by hand, and the wrong result that follows."""

import warnings

import torch

warnings.simplefilter("error")  # a warning would end this program
gain = 3


def amplify(x):
    return x * gain


skip_globals = torch.compiler.skip_guard_on_globals_unsafe
fast = torch.compile(amplify, backend="eager", options={"guard_filter_fn": skip_globals})
print("gain = 3:", before := fast(torch.ones(2)).tolist())
gain = 4
print("gain = 4:", after := fast(torch.ones(2)).tolist(), "eager:", amplify(torch.ones(2)).tolist())

filters = [name for name in dir(torch.compiler) if "skip_" in name or "keep_" in name]
print("ready-made filters:", *filters, sep="\n    ")
assert before == after == [3, 3] and all(name.endswith("unsafe") for name in filters)

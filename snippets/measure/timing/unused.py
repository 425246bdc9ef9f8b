# /// lesson
# needs = ["compiler"]
# varies.output = ['\d[\d.,]* µs']
# varies.values = ["unused_eager", "unused_compiled", "returned_eager", "returned_compiled"]
# ///
"""Wrong: the timed function drops its result, so the compiler removes the work."""

import torch
from torch.utils.benchmark import Timer

from compile_lessons import capture

torch.set_num_threads(1)  # so that other programs on this machine disturb less
x, weight = torch.randn(256, 256), torch.randn(256, 256)


def unused(x):
    torch.relu(x @ weight).square().mean()


def returned(x):
    return torch.relu(x @ weight).square().mean()


us, kernels = [], []
for function in (unused, returned):
    kernels.append(len(capture(function, machine_code=False)(x).kernels))
    for name, call in (("eager", function), ("compiled", torch.compile(function))):
        call(x)  # compiles
        us.append(Timer("call(x)", globals={"call": call, "x": x}).blocked_autorange(min_run_time=0.2).median * 1e6)
        work = f", {kernels[-1]} kernels" if name == "compiled" else ""
        print(f"{function.__name__:8}  {name:8}  {us[-1]:7,.1f} µs{work}")
unused_eager, unused_compiled, returned_eager, returned_compiled = us
# region checks
assert kernels[0] == 0 < kernels[1]
# endregion

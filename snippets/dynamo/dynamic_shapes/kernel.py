# /// lesson
# needs = ["compiler"]
# ///
"""What a fixed size is worth: the loop that Inductor generates."""

import re

import torch

from compile_lessons import capture


def double(x):
    return x * 2


loops = []
for dynamic in (False, True):
    pipeline = capture(double, dynamic=dynamic, machine_code=False)(torch.ones(32))
    [kernel] = pipeline.kernels
    # shorter to read: static_cast<int64_t>(32L) is 32
    code = re.sub(r"static_cast<int64_t>\((\w+?)L?\)", r"\1", kernel.source)
    lines = [line.strip() for line in code.splitlines()]
    loop = [line for line in lines if line.startswith(("for", "if"))]  # no bodies
    print(f"dynamic={dynamic}:", *loop, sep="\n    ")
    loops.append(loop)

# region checks
fixed_loop, dynamic_loop = loops
assert "x0<32" in fixed_loop[0]
assert "x0<ks0" in dynamic_loop[0]
assert len(fixed_loop) < len(dynamic_loop)
# endregion

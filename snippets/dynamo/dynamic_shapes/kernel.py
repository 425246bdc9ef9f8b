# /// lesson
# needs = ["compiler"]
# ///
"""What a fixed size is worth: the loop that Inductor generates."""

import re

import torch
from torch._inductor.utils import run_and_get_code


def double(x):
    return x * 2


loops = []
for dynamic in (False, True):
    torch.compiler.reset()
    compiled = torch.compile(double, dynamic=dynamic)
    code = run_and_get_code(compiled, torch.ones(32))[1][0]
    code = re.sub(r"static_cast<int64_t>\((\w+?)L?\)", r"\1", code)  # shorter to read
    loops.append([line.strip() for line in code.splitlines() if re.search("for *\\(|if *\\(C10_", line)])
    print(f"dynamic={dynamic}:", *loops[-1], sep="\n    ")

# region checks
static_lines, dynamic_lines = map(len, loops)
assert "x0<32" in loops[0][0] and "x0<ks0" in loops[1][0]
assert static_lines < dynamic_lines
# endregion

# /// lesson
# needs = ["compiler"]
# ///
"""The machine instructions of the loop in a kernel."""

import re

import torch

from compile_lessons import capture
from compile_lessons.pipeline.assembly import assembly

[kernel] = capture(lambda x: x * 2 + 1, machine_code=False)(torch.randn(512)).kernels
text = assembly(kernel)  # by the compiler and with the options that Inductor uses
function = text[text.index("\nkernel:") :]
instruction_or_label = r"^(?:\t[a-z].*|\.L\d+:)$"
lines = re.findall(instruction_or_label, function, re.M)
for end, line in enumerate(lines):
    target = line.split()[-1] + ":"
    if line.startswith("\tj") and target in lines[:end]:  # a jump back closes a loop
        loop = lines[lines.index(target) : end + 1]
        break
print("\n".join(loop))

instructions = len(loop) - 1  # without the label
# region checks
assert any("ps\t" in line for line in loop)  # such as vaddps: a whole vector
assert instructions < 16
# endregion

# /// lesson
# varies.output = ['(?<=__compiled_fn_1_)\w+']
# ///
"""Step through the bytecode that Dynamo wrote, and look at what a call returns."""

import io
import sys

import torch
from torch._dynamo import bytecode_debugger  # a private module


# region program
@torch.compile(backend="eager")
def step(x, sizes):
    sizes.append(x.shape[0])
    return torch.relu(x) * 2


x = torch.ones(3)
step(x, [])
sizes = []
sys.stdin = io.StringIO("n 2\nstack\nr\nstack\nlocals\nc\n")  # instead of a keyboard
with bytecode_debugger.debug():
    step(x, sizes)
# endregion

# region checks
assert sizes == [3]
# endregion

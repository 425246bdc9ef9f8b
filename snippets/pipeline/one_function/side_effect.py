"""What else a function changes: the new bytecode does it after the graph has run."""

import dis

import torch
from torch._dynamo.eval_frame import _debug_get_cache_entry_list

calls = 0


def counted_gelu(x):
    global calls
    calls += 1
    return x * torch.sigmoid(1.702 * x)


compiled = torch.compile(counted_gelu, backend="eager")
for _ in range(3):
    compiled(torch.ones(512))

entry = _debug_get_cache_entry_list(counted_gelu)[-1]
steps = []
for instruction in dis.get_instructions(entry.code):
    if instruction.argval == "calls" or "__compiled_fn" in str(instruction.argval):
        steps.append(instruction.opname)
        print(instruction.opname, str(instruction.argval)[:13])
print("calls:", calls)
assert steps[-1] == "STORE_GLOBAL" and calls == 3

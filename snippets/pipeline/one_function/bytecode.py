"""The bytecode Python had, and the bytecode Dynamo made of it."""

import dis
import io
import re

import torch
from torch._dynamo.eval_frame import _debug_get_cache_entry_list


def quick_gelu(x):
    return x * torch.sigmoid(1.702 * x)


def disassemble(code):
    text = io.StringIO()
    dis.dis(code, file=text)
    return re.sub(r"(__compiled_fn_\d+)_\w+", r"\1", text.getvalue())  # a random id ends the name


torch.compile(quick_gelu, backend="eager")(torch.ones(512))
[entry] = _debug_get_cache_entry_list(quick_gelu)

before, after = disassemble(quick_gelu.__code__), disassemble(entry.code)
print("before\n", before, "\nafter\n", after, sep="")

entries = len(_debug_get_cache_entry_list(quick_gelu))
assert entries == 1 and entry.code is not quick_gelu.__code__
assert "sigmoid" in before and "__compiled_fn" not in before
assert "sigmoid" not in after and after.count("__compiled_fn") == 1

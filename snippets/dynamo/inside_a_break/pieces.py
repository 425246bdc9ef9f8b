"""What the new bytecode of a broken function calls, in order."""

import dis
import re

import torch
from torch._dynamo.convert_frame import register_bytecode_hook


def shifted_square(x):
    y = torch.relu(x) + 1
    print("halfway")
    return y * y


def keep(before, after):
    frames.append(before.co_name)
    print(f"\n{before.co_name}({', '.join(before.co_varnames[: before.co_argcount])})")
    for instruction in dis.get_instructions(after):
        name = str(instruction.argval)
        if re.match("__compiled_fn|__resume_at|print$", name):
            name = re.sub(r"(__compiled_fn_\d+)_\w+", r"\1", name)
            print(f"    {instruction.opname:12} {name}")
            names.append(name)


frames, names = [], []
register_bytecode_hook(keep)
torch.compile(shifted_square, backend="eager")(torch.ones(3))

assert frames == ["shifted_square", "torch_dynamo_resume_in_shifted_square_at_12"]
assert [re.sub(r"_\d.*", "", name) for name in names] == ["__compiled_fn", "print", "__resume_at", "__compiled_fn"]

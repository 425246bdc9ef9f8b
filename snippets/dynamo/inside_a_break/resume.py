"""The resume function, disassembled."""

import dis

import torch
from torch._dynamo.convert_frame import register_bytecode_hook


def shifted_square(x):
    y = torch.relu(x) + 1
    print("halfway")
    return y * y


def keep(before, after):
    codes.append(before)


codes = []
register_bytecode_hook(keep)
torch.compile(shifted_square, backend="eager")(torch.ones(3))

whole, resume = codes
dis.dis(resume)

first = next(dis.get_instructions(resume))
jumps = [i for i in dis.get_instructions(resume) if i.opname == "JUMP_FORWARD"]
assert first.opname in ("RESUME", "COPY_FREE_VARS") and len(jumps) == 1
assert set(whole.co_names) <= set(resume.co_names)  # relu and print are still there
assert "___stack0" in resume.co_varnames and "y" in resume.co_varnames

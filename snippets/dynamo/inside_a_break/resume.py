"""The bytecode of the resume function, before Dynamo traces it."""

import torch

from compile_lessons import Parts, capture


def shifted_square(x):
    y = torch.relu(x) + 1
    print("halfway")
    return y * y


whole, resume = capture(shifted_square, until="dynamo")(torch.ones(3)).frames
print(resume.function)
print(Parts(resume.original))

# region checks
opnames = [instruction.opname for instruction in resume.original]
arguments = " ".join(instruction.argument for instruction in resume.original)
assert opnames.count("JUMP_FORWARD") == 1
assert "___stack0" in arguments and "relu" in arguments and "print" in arguments
# endregion

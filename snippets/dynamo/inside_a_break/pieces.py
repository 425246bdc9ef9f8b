"""The calls in the bytecode that Dynamo writes for a function with a break, in order."""

import re

import torch

from compile_lessons import capture


def shifted_square(x):
    y = torch.relu(x) + 1
    print("halfway")
    return y * y


pipeline = capture(shifted_square, until="dynamo")(torch.ones(3))
names = []
for frame in pipeline.frames:
    print(frame.function)
    for instruction in frame.rewritten:
        # "NULL + __compiled_fn_10_1d11d4a3_7829", "__resume_at_76_11", "'print'"
        if name := re.search(r"__compiled_fn_\d+|__resume_at_\d+|'print'", instruction.argument):
            print(f"    {instruction.opname:12} {name[0]}")
            names.append(name[0])

# region checks
kinds = [re.sub(r"_\d+", "", name) for name in names]
assert kinds == ["__compiled_fn", "'print'", "__resume_at", "__compiled_fn"]
assert [frame.resume for frame in pipeline.frames] == [False, True]
# endregion

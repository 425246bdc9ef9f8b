"""A function's instructions, and the instructions that Dynamo runs instead."""

import re
from itertools import zip_longest

import torch

from compile_lessons import capture


# region function
def halves(x, log):
    log.append("halves")
    half = x.shape[0] // 2
    return {"top": torch.relu(x)[:half], "rows": half}


# endregion


def listing(title, instructions):
    lines = [title]
    for instruction in instructions:
        argument = re.sub(r"(__compiled_fn_\d+)_\w+", r"\1", instruction.argument)
        argument = argument.replace("__import_torch_dot__dynamo_dot", "torch._dynamo")
        lines.append(f"{instruction.opname:19} {argument}".rstrip())
    return lines


log = []
original = halves.__code__
[frame] = capture(halves, until="dynamo")(torch.ones(6), log).frames
before = listing("BEFORE", frame.original)
after = listing("AFTER", frame.rewritten)
for left, right in zip_longest(before, after, fillvalue=""):
    print(f"{left:36}{right}".rstrip())

# region checks
assert halves.__code__ is original
assert log == ["halves"]
assert any("relu" in line for line in before)
assert not any("relu" in line for line in after)
assert not any("append" in line for line in after)
assert "LOAD_CONST          3" in after
assert sum("__compiled_fn" in line for line in after) == 1
# endregion

"""A function's instructions, and the instructions that Dynamo runs instead."""

import re
from itertools import zip_longest

import torch

from compile_lessons import capture


def halves(x, log):
    log.append("halves")
    half = x.shape[0] // 2
    return {"top": torch.relu(x)[:half], "rows": half}


def listing(title, instructions):
    lines = [f"{instruction.opname:19} {instruction.argument}".rstrip() for instruction in instructions]
    return [title, *(re.sub(r"(__compiled_fn_\d+)_\w+", r"\1", line) for line in lines)]  # without its random id


log, original = [], halves.__code__
pipeline = capture(halves, until="dynamo")(torch.ones(6), log)
[frame] = pipeline.frames
before, after = listing("BEFORE", frame.original), listing("AFTER", frame.rewritten)
for left, right in zip_longest(before, after, fillvalue=""):
    print(f"{left:36}{right}".replace("__import_torch_dot__dynamo_dot_utils", "torch._dynamo.utils"))

# region checks
assert halves.__code__ is original and log == ["halves"]
assert any("relu" in line for line in before) and not any("relu" in line for line in after)
assert not any("append" in line for line in after) and "LOAD_CONST          3" in after
assert sum("__compiled_fn" in line for line in after) == 1
# endregion

"""A function's instructions, and the ones that run in their place."""

import dis
import re
from itertools import zip_longest

import torch
from torch._dynamo.eval_frame import _debug_get_cache_entry_list


def halves(x, log):
    log.append("halves")
    half = x.shape[0] // 2
    return {"top": torch.relu(x)[:half], "rows": half}


def instructions(code):
    for instruction in dis.get_instructions(code):
        # a random id ends the name
        argument = re.sub(r"(__compiled_fn_\d+)_\w+", r"\1", instruction.argrepr)
        argument = argument.replace("__import_torch_dot__dynamo_dot_utils", "torch._dynamo.utils")
        yield f"{instruction.opname:19} {argument}".rstrip()


log, original = [], halves.__code__
compiled = torch.compile(halves, backend="eager")
result = compiled(torch.ones(6), log)
[entry] = _debug_get_cache_entry_list(halves)

before, after = list(instructions(original)), list(instructions(entry.code))
for left, right in zip_longest(["BEFORE", *before], ["AFTER", *after], fillvalue=""):
    print(f"{left:36}{right}")

assert halves.__code__ is original and entry.code is not original
assert any("relu" in line for line in before) and not any("relu" in line for line in after)
assert not any("append" in line for line in after) and log == ["halves"]
assert sum("__compiled_fn" in line for line in after) == 1
assert result["rows"] == 3 and compiled(torch.ones(8), log)["rows"] == 4
assert len(_debug_get_cache_entry_list(halves)) == 2  # 8 rows needed another entry

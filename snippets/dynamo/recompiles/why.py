# /// lesson
# env = {TORCH_LOGS = "recompiles", TORCH_LOGS_FORMAT = "%(message)s"}
# ///
"""Have the failed guard of each recompile logged."""

import torch
from torch._dynamo.eval_frame import _debug_get_cache_entry_list


def scaled(x, mode):
    return x * 2 if mode == "double" else x + 1


compiled = torch.compile(scaled, backend="eager")
four = torch.ones(4)
for x, mode in [(four, "double"), (four, "shift"), (four.view(2, 2), "shift")]:
    print(f"-> {mode}, {x.dim()} dimensions")
    compiled(x, mode)

versions = len(_debug_get_cache_entry_list(scaled))
print("compiled versions:", versions)
assert versions == 3

"""A cache entry has a guard manager, and no check_fn."""

import torch
from torch._dynamo.eval_frame import _debug_get_cache_entry_list


def double(x):
    return x * 2


torch.compile(double, backend="eager")(torch.ones(2))
[entry] = _debug_get_cache_entry_list(double)
for name in ("check_fn", "guard_manager"):
    print(f"{name}: {hasattr(entry, name)}")
# region checks
assert not hasattr(entry, "check_fn") and hasattr(entry, "guard_manager")
# endregion

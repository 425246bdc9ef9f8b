"""A cache entry has a guard manager, whose tree is C++, and no check_fn."""

import torch

# private: torch has no public way to the versions of a function
from torch._dynamo.eval_frame import _debug_get_cache_entry_list


def double(x):
    return x * 2


torch.compile(double, backend="eager")(torch.ones(2))
[entry] = _debug_get_cache_entry_list(double)
for name in ("check_fn", "guard_manager"):
    print(f"{name}: {hasattr(entry, name)}")
root = type(entry.guard_manager.root)
print("the root of its tree:", root.__module__, root.__name__)
# region checks
assert root.__module__.startswith("torch._C")
assert not hasattr(entry, "check_fn")
assert hasattr(entry, "guard_manager")
# endregion

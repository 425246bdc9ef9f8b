"""Names that other texts use, and where torch has them instead."""

import torch
from torch._dynamo.eval_frame import _debug_get_cache_entry_list

from compile_lessons import Table, show


def double(x):
    return x * 2


torch.compile(double, backend="eager")(torch.ones(2))
[entry] = _debug_get_cache_entry_list(double)

names = {
    "Tensor.layer_norm": hasattr(torch.Tensor, "layer_norm"),
    "torch.nn.functional.layer_norm": hasattr(torch.nn.functional, "layer_norm"),
    "cache_entry.check_fn": hasattr(entry, "check_fn"),
    "cache_entry.guard_manager": hasattr(entry, "guard_manager"),
}
show(Table(["name", "exists"], [[name, str(found)] for name, found in names.items()]))
assert list(names.values()) == [False, True, False, True]

"""A branch on a size becomes a guard."""

import torch
from torch._dynamo.eval_frame import _debug_get_cache_entry_list


def shift(a):
    if a.shape[0] * 2 < 16:
        return a
    return a + 1


def shape_guards():
    for entry in _debug_get_cache_entry_list(shift):
        for guard in entry.guard_manager.root.get_epilogue_lambda_guards():
            yield guard.verbose_code_parts()[0].split("  #")[0]


compiled = torch.compile(shift, backend="eager", dynamic=True)
for size in (8, 100, 3):
    compiled(torch.ones(size))
    print(f"after size {size}:", *shape_guards(), sep="\n    ")

compiles = len(_debug_get_cache_entry_list(shift))
assert compiles == 2

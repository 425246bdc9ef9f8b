"""What must hold for the compiled code to be used again."""

import re
import textwrap

import torch
from torch._dynamo.eval_frame import _debug_get_cache_entry_list


def quick_gelu(x):
    return x * torch.sigmoid(1.702 * x)


def leaves(manager):
    yield from manager.get_leaf_guards()
    for child in manager.get_child_managers():
        yield from leaves(child)


torch.compile(quick_gelu, backend="eager")(torch.ones(512))
[entry] = _debug_get_cache_entry_list(quick_gelu)

kinds = []
for guard in leaves(entry.guard_manager.root):
    kinds.append(type(guard).__name__)
    check = guard.verbose_code_parts()[0].split("  #")[0]
    check = re.sub(r", \d{9,}", ", <id>", check)  # the address of an object
    print(kinds[-1], *textwrap.wrap(check.replace(',"', ', "'), 90), sep="\n    ")

tensor_guards, identity_guards = kinds.count("TENSOR_MATCH"), kinds.count("ID_MATCH")
assert (tensor_guards, identity_guards) == (1, 2)
assert entry.guard_manager.check({"x": torch.zeros(512)})
assert not entry.guard_manager.check({"x": torch.zeros(512, dtype=torch.float64)})

"""A branch on a size becomes a guard."""

import torch

from compile_lessons import capture, count_recompiles


# region function
def shift(a):
    if a.shape[0] * 2 < 16:
        return a * 2
    return a + 1


# endregion

checks = {}
for size in (8, 3):
    guards = capture(shift, until="dynamo", dynamic=True)(torch.ones(size)).guards
    [guard] = [guard for guard in guards if guard.kind == "SHAPE_ENV"]
    checks[size] = guard.checks
    print(f"compiled for size {size}:", *guard.checks, sep="\n    ")

calls = [torch.ones(size) for size in (8, 100, 3, 4, 50)]
recompiles = count_recompiles(shift, dynamic=True)(calls)
print("recompiles for 8, 100, 3, 4, 50:", recompiles)

# region checks
assert list(checks[8]) == ["8 <= L['a'].size()[0]"]
assert checks[3][0].endswith("L['a'].size()[0] <= 7")
assert recompiles == 1
# endregion

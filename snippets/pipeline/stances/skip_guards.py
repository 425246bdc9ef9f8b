"""skip_guard_eval_unsafe: fewer guards are checked, and a wrong call goes unnoticed."""

import torch


@torch.compile(backend="eager", dynamic=False)
def scaled(x, double):
    return x * 2 if double else x


scaled(torch.ones(2), True)
scaled(torch.ones(2), False)
with torch.compiler.set_stance(skip_guard_eval_unsafe=True):
    told_apart = scaled(torch.ones(2), True).tolist(), scaled(torch.ones(2), False).tolist()
    unseen = scaled(torch.ones(2, dtype=torch.float64), True).dtype
print("what tells the two entries apart is still checked:", told_apart)
print("a dtype never compiled for is not noticed:", unseen)
assert told_apart == ([2.0, 2.0], [1.0, 1.0])

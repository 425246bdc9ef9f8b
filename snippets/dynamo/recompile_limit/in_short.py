"""The ninth version is an error, not a slow call in eager mode."""

import torch

torch.compiler.config.fail_on_recompile_limit_hit = True


@torch.compile(backend="eager")
def scale_by_length(x, name):
    return x * len(name)


for length in range(1, 9):  # eight versions: a ninth name raises an error
    scale_by_length(torch.ones(2), "a" * length)

# region checks
try:
    scale_by_length(torch.ones(2), "a" * 9)
    raise AssertionError("no error")
except torch._dynamo.exc.FailOnRecompileLimitHit:
    pass
# endregion

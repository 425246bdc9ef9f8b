# /// lesson
# env = {TORCH_LOGS = "-dynamo"}
# ///
"""fail_on_recompile misses a function past its limit, and a skipped function."""

import torch
import torch._dynamo.config

from compile_lessons import Table, show


# region functions
def past_its_limit(x, mode):
    return x * len(mode)


def skipped(x, mode):
    for _ in range(2):
        print(end="")  # a graph break in a loop
        x = x + 1
    return x


# endregion
def outcome(compiled, *modes):
    try:
        for mode in modes:
            compiled(torch.ones(2), mode)
    except Exception as error:
        return type(error).__name__
    return "no error"


rows = []
for function in (past_its_limit, skipped):
    compiled = torch.compile(function, backend="eager", recompile_limit=1)
    outcome(compiled, "a", "ab")  # the warm-up: one version more than the limit
    with torch.compiler.set_stance("fail_on_recompile"):
        new_mode = outcome(compiled, "abc")
    torch.compiler.reset()
    with torch._dynamo.config.patch(fail_on_recompile_limit_hit=True):
        warm_up = outcome(compiled, "a", "ab")
    rows.append([function.__name__, new_mode, warm_up])
columns = ["a new mode, fail_on_recompile", "warm-up, fail_on_recompile_limit_hit"]
show(Table(["function", *columns], rows))

# region checks
assert rows[0][1:] == ["no error", "FailOnRecompileLimitHit"]
assert rows[1][1:] == ["no error", "no error"]
# endregion

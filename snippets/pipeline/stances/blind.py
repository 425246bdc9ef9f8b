# /// lesson
# env = {TORCH_LOGS = "-dynamo"}
# ///
"""fail_on_recompile misses a function past its limit and a skipped function: both run in eager mode."""

import torch
import torch._dynamo.config

from compile_lessons import Table, show


def past_its_limit(x, mode):
    return x * len(mode)


def skipped(x, mode):
    for _ in range(2):
        print(end="")  # a graph break in a loop
        x = x + 1
    return x


def outcome(modes):
    try:
        for mode in modes:
            compiled(torch.ones(2), mode)
    except Exception as error:
        return type(error).__name__
    return "no error"


rows = []
for function in (past_its_limit, skipped):
    compiled = torch.compile(function, backend="eager", recompile_limit=1)
    outcome(["a", "ab"])  # the warm-up: one version more than the limit
    with torch.compiler.set_stance("fail_on_recompile"):
        rows.append([function.__name__, outcome(["abc"])])
    torch.compiler.reset()
    with torch._dynamo.config.patch(fail_on_recompile_limit_hit=True):
        rows[-1].append(outcome(["a", "ab"]))
show(Table(["function", "a new mode, fail_on_recompile", "warm-up, fail_on_recompile_limit_hit"], rows))

# region checks
assert [row[1:] for row in rows] == [["no error", "FailOnRecompileLimitHit"], ["no error", "no error"]]
# endregion

# /// lesson
# env = {TORCH_LOGS = "-dynamo"}
# ///
"""Make the recompile limit an error, in two ways."""

import torch

torch._dynamo.config.cache_size_limit = 2  # the old name of recompile_limit


def scaled(x, name):
    return x * len(name)


stopped_at = []
for fullgraph in (True, False):
    torch.compiler.reset()
    torch._dynamo.config.fail_on_recompile_limit_hit = not fullgraph
    compiled = torch.compile(scaled, backend="eager", fullgraph=fullgraph)
    try:
        for name in ("ab", "abc", "abcd"):
            compiled(torch.ones(2), name)
    except torch._dynamo.exc.FailOnRecompileLimitHit as error:
        stopped_at.append(name)
        print(f"{name}: {type(error).__name__}:", str(error).splitlines()[0])

# region checks
assert torch._dynamo.config.recompile_limit == 2 and stopped_at == ["abcd", "abcd"]
# endregion

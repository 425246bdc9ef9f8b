# /// lesson
# env = {TORCH_LOGS = "-dynamo"}
# ///
"""Make the recompile limit an error, in two ways."""

import torch
from torch._dynamo.exc import FailOnRecompileLimitHit

torch.compiler.config.recompile_limit = 2


def scale_by_length(x, name):
    return x * len(name)


def call_until_it_fails(compiled):
    for name in ("ab", "abc", "abcd", "abcde"):
        try:
            compiled(torch.ones(2), name)
        except FailOnRecompileLimitHit as error:
            return f"{name}: {str(error).splitlines()[0]}"
    return "no error"


with_fullgraph = torch.compile(scale_by_length, backend="eager", fullgraph=True)
first = call_until_it_fails(with_fullgraph)
print("fullgraph=True:", first)

torch.compiler.reset()
torch.compiler.config.fail_on_recompile_limit_hit = True
compiled = torch.compile(scale_by_length, backend="eager")
second = call_until_it_fails(compiled)
print("fail_on_recompile_limit_hit:", second)

# region checks
assert first.startswith("abcd: ")
assert second.startswith("abcd: ")
# endregion

# /// lesson
# env = {TORCH_LOGS = "-dynamo"}
# ///
"""Turn the limit into an error, in two ways."""

import torch

torch._dynamo.config.cache_size_limit = 2  # the old name
limit = torch._dynamo.config.recompile_limit
print("recompile_limit:", limit)


class Scale(torch.nn.Module):
    def forward(self, x):
        return x * self.factor


scale, stopped_at = Scale(), []
for fullgraph in (True, False):
    torch.compiler.reset()
    torch._dynamo.config.fail_on_recompile_limit_hit = not fullgraph
    compiled = torch.compile(scale, backend="eager", fullgraph=fullgraph)
    try:
        for scale.factor in (2, 3, 4):
            compiled(torch.ones(2))
    except torch._dynamo.exc.FailOnRecompileLimitHit as error:
        stopped_at.append(scale.factor)
        print(f"factor {scale.factor}: {type(error).__name__}:", str(error).splitlines()[0])

assert limit == 2 and stopped_at == [4, 4]

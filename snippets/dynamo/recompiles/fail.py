# /// lesson
# raises = {type = "FailOnRecompileLimitHit", message = "fullgraph=True"}
# ///
"""Turn the limit into an error."""

import torch

torch._dynamo.config.cache_size_limit = 2  # the old name
limit = torch._dynamo.config.recompile_limit
print("recompile_limit:", limit)
assert limit == 2


class Scale(torch.nn.Module):
    def forward(self, x):
        return x * self.factor


scale = Scale()
compiled = torch.compile(scale, backend="eager", fullgraph=True)
for scale.factor in (2, 3, 4):
    compiled(torch.ones(2))
    print("factor", scale.factor)

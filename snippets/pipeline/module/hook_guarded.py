"""With guards on hooks, a new hook triggers a recompile and runs."""

import torch
import torch._dynamo.config
from torch import nn

torch._dynamo.config.skip_nnmodule_hook_guards = False  # the default is True
model = nn.Sequential(nn.Linear(4, 4))
compiled = torch.compile(model, backend="eager")
x = torch.ones(2, 4)
compiled(x)

model[0].register_forward_hook(lambda module, inputs, output: output * 0)
print("the hook runs in the compiled call:", not compiled(x).any())

# region checks
assert not compiled(x).any()
# endregion

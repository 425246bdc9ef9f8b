"""With hooks guarded, a new hook is a recompile."""

import torch
import torch._dynamo.config
from torch import nn

assert torch._dynamo.config.skip_nnmodule_hook_guards  # the default: no guards on hooks
torch._dynamo.config.skip_nnmodule_hook_guards = False

model = nn.Linear(4, 4)
compiled = torch.compile(model, backend="eager")
x = torch.ones(2, 4)
compiled(x)

model.register_forward_hook(lambda module, inputs, output: output * 0)
compiled_is_zero = bool((compiled(x) == 0).all())
print("hook ran in the compiled call:", compiled_is_zero)
assert compiled_is_zero

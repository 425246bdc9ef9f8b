"""A hook added after the first call is not seen."""

import torch
from torch import nn

model = nn.Linear(4, 4)
compiled = torch.compile(model, backend="eager")
x = torch.ones(2, 4)
compiled(x)

model.register_forward_hook(lambda module, inputs, output: output * 0)
eager_is_zero = bool((model(x) == 0).all())
compiled_is_zero = bool((compiled(x) == 0).all())
print("hook ran in eager:            ", eager_is_zero)
print("hook ran in the compiled call:", compiled_is_zero)

torch.compiler.reset()
after_reset = bool((compiled(x) == 0).all())
print("after torch.compiler.reset(): ", after_reset)
assert (eager_is_zero, compiled_is_zero, after_reset) == (True, False, True)

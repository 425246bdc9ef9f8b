"""Keep and call the object that torch.compile returns."""

import torch

model = torch.nn.Sequential(torch.nn.Linear(4, 4), torch.nn.ReLU())
x = torch.ones(2, 4)
torch.compiler.set_stance(force_backend="eager")  # this program needs no C++ compiler
# region copy
compiled = torch.compile(model)
output = compiled(x)
# endregion

# region checks
assert output.equal(model(x))
assert compiled is not model
# endregion

"""Keep and call the object that torch.compile returns."""

# region copy
import torch

model = torch.nn.Sequential(torch.nn.Linear(4, 4), torch.nn.ReLU())
compiled = torch.compile(model, backend="eager")  # leave out backend= for Inductor
for _ in range(3):
    output = compiled(torch.ones(2, 4))
# endregion

# region checks
assert output.equal(model(torch.ones(2, 4))) and compiled is not model
# endregion

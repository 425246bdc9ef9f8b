"""A checkpoint of the wrapper is loaded with strict=False: no name fits."""

import torch

trained = torch.nn.Linear(4, 2)
wrapped = torch.compile(trained, backend="eager")
checkpoint = wrapped.state_dict()

model = torch.nn.Linear(4, 2)
print(model.load_state_dict(checkpoint, strict=False))
loaded = torch.equal(model.weight, trained.weight)
print("the trained weights are loaded:", loaded)

# region checks
assert not loaded
missing = model.load_state_dict(trained.state_dict(), strict=False).missing_keys
assert not missing
assert torch.equal(model.weight, trained.weight)
# endregion

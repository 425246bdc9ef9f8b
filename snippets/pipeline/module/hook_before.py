# /// lesson
# needs = ["compiler"]
# ///
"""Register a hook on an inner layer first, then compile: the hook runs."""

import torch

model = torch.nn.Sequential(torch.nn.Linear(4, 4), torch.nn.GELU())


def hook(module, inputs, output):
    # a list that grows would trigger a recompile at each call
    module.kept = output


model[0].register_forward_hook(hook)  # before the first call
compiled = torch.compile(model)
compiled(torch.ones(2, 4))
print(model[0].kept.shape)

# region checks
torch.compiler.set_stance("fail_on_recompile")
for _ in range(5):
    compiled(torch.ones(2, 4))
torch.testing.assert_close(model[0].kept, model[0].forward(torch.ones(2, 4)))
# endregion

# /// lesson
# env = {TORCH_LOGS = "-all"}
# ///
"""A learning rate scheduler, created after the update is compiled, and before it."""

import warnings

import torch
from torch.optim.lr_scheduler import StepLR

# region wrong
model = torch.nn.Linear(4, 4)
optimizer = torch.optim.AdamW(model.parameters(), lr=0.1)
optimizer.step = torch.compile(optimizer.step, backend="eager")
try:
    StepLR(optimizer, step_size=1)
except AttributeError as error:
    message = f"AttributeError: {error}"
print("scheduler after the update:", message)
# endregion


# region right
def train(compile_update):
    torch.manual_seed(0)
    model = torch.nn.Linear(4, 4)
    optimizer = torch.optim.AdamW(model.parameters(), lr=0.1)
    scheduler = StepLR(optimizer, step_size=1)
    if compile_update:
        optimizer.step = torch.compile(optimizer.step, backend="eager")
    for _ in range(3):
        model(torch.ones(2, 4)).square().sum().backward()
        optimizer.step()
        optimizer.zero_grad()
        scheduler.step()
    return model.weight


with warnings.catch_warnings(record=True) as caught:
    weight = train(compile_update=True)
same = torch.allclose(weight, train(compile_update=False), atol=1e-5)
print("scheduler before the update: matches eager mode:", same)
# endregion

# region checks
assert message == "AttributeError: 'function' object has no attribute '__func__'"
assert same
assert not [warning for warning in caught if "lr_scheduler" in str(warning.message)]
# endregion

"""Hooks that run: registered before the first call, on the module itself, and on one that isn't compiled."""

import torch


def double(module, inputs, output):
    return 2 * output


model = torch.nn.Sequential(torch.nn.Linear(4, 4), torch.nn.ReLU())
teacher = torch.nn.Sequential(torch.nn.Linear(4, 4), torch.nn.Sigmoid())
model[1].register_forward_hook(double)
compiled = torch.compile(model, backend="aot_eager")
for step in range(4):
    if step == 2:
        teacher[0].register_forward_hook(double)
    x = torch.ones(2, 4)
    assert torch.allclose(compiled(x), 2 * model[0](x).relu())
    (compiled(x) - teacher(x)).square().sum().backward()

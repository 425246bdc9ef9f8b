"""Copies that compute with weights of their own: of a wrapper, of a module compiled in place, of averaged weights."""

import copy

import torch

model = torch.nn.Sequential(torch.nn.Linear(4, 4), torch.nn.Tanh())
wrapper = torch.compile(model, backend="aot_eager")
x = torch.ones(2, 4)
before = wrapper(x).detach()
teacher = copy.deepcopy(wrapper)
average = torch.optim.swa_utils.AveragedModel(model)
optimizer = torch.optim.SGD(model.parameters(), lr=0.5)
for _ in range(3):
    loss = wrapper(x).square().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    average.update_parameters(model)
assert torch.allclose(teacher(x), before) and not torch.allclose(model(x), before)
assert not torch.allclose(average(x), before)

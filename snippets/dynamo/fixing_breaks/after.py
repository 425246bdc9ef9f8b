"""The same loss as one graph: the caller does what Python has to do."""

import torch
import torch.nn.functional as F

torch.manual_seed(0)
model = torch.nn.Sequential(torch.nn.Embedding(100, 16), torch.nn.Linear(16, 5))
tokens, labels = torch.arange(24).view(2, 12), torch.arange(24).view(2, 12) % 5
lengths, step = torch.tensor([9, 7]), 0


# region loss
def training_loss(tokens, labels):
    return F.cross_entropy(model(tokens).flatten(0, 1), labels.flatten())


compiled_loss = torch.compile(training_loss, fullgraph=True, backend="eager")
# endregion
# region copy
longest = int(lengths.max())
loss = compiled_loss(tokens[:, :longest], labels[:, :longest])  # compiled with fullgraph=True
if step % 100 == 0:  # one check in 100 steps
    print("loss", loss.item())
    if loss.isnan():
        raise FloatingPointError("the loss is nan")
# endregion


# region checks
def original(tokens, labels, lengths):
    longest = lengths.max().item()
    return F.cross_entropy(model(tokens[:, :longest]).flatten(0, 1), labels[:, :longest].flatten())


assert loss.equal(original(tokens, labels, lengths))
gradients = torch.autograd.grad(loss, model.parameters())
expected = torch.autograd.grad(original(tokens, labels, lengths), model.parameters())
assert all(map(torch.equal, gradients, expected))
# endregion

"""The same loss as one graph: the caller does what Python has to do."""

import torch
import torch.nn.functional as F

torch.manual_seed(0)
model = torch.nn.Sequential(torch.nn.Embedding(100, 16), torch.nn.Linear(16, 5))


@torch.compile(fullgraph=True, backend="eager")
def training_loss(tokens, labels):
    return F.cross_entropy(model(tokens).flatten(0, 1), labels.flatten())


tokens = torch.arange(24).view(2, 12)
labels = tokens % 5
lengths = torch.tensor([9, 7])
longest = int(lengths.max())
loss = training_loss(tokens[:, :longest], labels[:, :longest])
if loss.isnan():
    raise FloatingPointError("the loss is nan")
print("loss", loss.item())


# region checks
def original(tokens, labels, lengths):
    longest = lengths.max().item()
    scores = model(tokens[:, :longest])
    return F.cross_entropy(scores.flatten(0, 1), labels[:, :longest].flatten())


expected_loss = original(tokens, labels, lengths)
assert loss.equal(expected_loss)
gradients = torch.autograd.grad(loss, model.parameters())
expected = torch.autograd.grad(expected_loss, model.parameters())
assert all(map(torch.equal, gradients, expected))
# endregion

"""The same function as one graph."""

import torch


def normalize(x):
    y = x - x.mean()
    y = torch.where(y.abs().max() > 1, y / y.abs().max(), y)
    y = torch.where(y[0] > 0, y, -y)
    return torch.tanh(y)


compiled = torch.compile(normalize, backend="eager", fullgraph=True)
print(compiled(torch.arange(4.0)))
print("mean removed")


# region checks
def original(x):
    y = x - x.mean()
    if y.abs().max() > 1:
        y = y / y.abs().max()
    return torch.tanh(sorted([y, -y], key=lambda t: t[0])[1])


for values in ([0.0, 1, 2, 3], [3.0, 2, 1, 0], [0.0, 0.1, 0.2], [0.0, 1, -1], [0.0, 0, 0], [float("nan"), 1, 2]):
    x = torch.tensor(values)
    torch.testing.assert_close(compiled(x), original(x), rtol=0, atol=0, equal_nan=True)
assert len(torch._dynamo.explain(normalize)(torch.arange(4.0)).graphs) == 1
# endregion

"""The change waits until the backward pass is done."""

import torch


def twice_sigmoid(x):
    return torch.sigmoid(x) * 2


gradients = []
for function in (twice_sigmoid, torch.compile(twice_sigmoid, backend="aot_eager_decomp_partition")):
    x = torch.ones(4, requires_grad=True)
    function(x).sum().backward()
    with torch.no_grad():
        x -= 0.5
    print("backward done:", x.grad)
    gradients.append(x.grad)

torch.testing.assert_close(*gradients)

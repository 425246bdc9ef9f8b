"""The same change through x.data: no error, and a wrong gradient."""

import torch


def twice_sigmoid(x):
    return torch.sigmoid(x) * 2


gradients = []
for function in (twice_sigmoid, torch.compile(twice_sigmoid, backend="aot_eager_decomp_partition")):
    x = torch.ones(1, requires_grad=True)
    y = function(x)
    x.data -= 0.5  # not counted as a new version of x
    y.sum().backward()
    gradients.append(x.grad.item())
    print(f"gradient: {gradients[-1]:.4f}")

right, wrong = gradients
at_one, at_half = (2 * s * (1 - s) for s in torch.sigmoid(torch.tensor([1.0, 0.5])).tolist())
assert abs(right - at_one) < 1e-6 and abs(wrong - at_half) < 1e-6

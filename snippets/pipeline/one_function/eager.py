"""What eager mode keeps for the backward pass."""

import torch
from torch.autograd.graph import saved_tensors_hooks


def quick_gelu(x):
    return x * torch.sigmoid(1.702 * x)


def pack(tensor):
    kept[tensor.data_ptr()] = tensor  # the same memory counts once
    return tensor


kept = {}
x = torch.linspace(-4, 4, 512, requires_grad=True)
with saved_tensors_hooks(pack, lambda tensor: tensor):
    quick_gelu(x)
for tensor in kept.values():
    print(tensor.shape, "the input" if tensor is x else "the result of sigmoid")

# region checks
assert len(kept) == 2
assert x.data_ptr() in kept
sigmoid = torch.sigmoid(1.702 * x)
assert any(torch.equal(tensor, sigmoid) for tensor in kept.values())
# endregion

# /// lesson
# raises = {type = "RuntimeError", message = "has been modified by an inplace operation"}
# ///
"""A weight that changes between forward and backward: fine in eager mode, an error compiled."""

import torch


def gate(x, w):
    return x * torch.sigmoid(w)


for function in (gate, torch.compile(gate, backend="aot_eager_decomp_partition")):
    x, w = torch.ones(4), torch.ones(4, requires_grad=True)
    loss = function(x, w).sum()
    with torch.no_grad():
        w -= 0.5  # an optimizer step before the backward pass
    loss.backward()
    print("gradient:", w.grad)

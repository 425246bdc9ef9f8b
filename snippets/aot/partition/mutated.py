# /// lesson
# raises = {type = "RuntimeError", message = "modified by an inplace operation"}
# ///
"""A weight changes between forward and backward: an error, but not in eager mode."""

import torch


def gate(x, w):
    return x * torch.sigmoid(w)


compiled_gate = torch.compile(gate, backend="aot_eager_decomp_partition")
for function in (gate, compiled_gate):
    x = torch.ones(4)
    w = torch.ones(4, requires_grad=True)
    loss = function(x, w).sum()
    with torch.no_grad():
        w -= 0.5  # an optimizer step before the backward pass
    loss.backward()
    print("gradient:", w.grad)

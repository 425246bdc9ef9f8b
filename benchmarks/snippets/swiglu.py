# /// lesson
# needs = ["compiler"]
# ///
"""SwiGLU, the gated product of a transformer's feed-forward layer."""

import torch


def swiglu(gate, up):
    return torch.nn.functional.silu(gate) * up


gate, up = torch.linspace(-4, 4, 6144), torch.linspace(1, 2, 6144)
compiled = torch.compile(swiglu)(gate, up)
print("swiglu:", torch.allclose(compiled, swiglu(gate, up), atol=1e-5))

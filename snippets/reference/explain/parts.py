# /// lesson
# needs = ["compiler"]
# ///
"""Some parts: the graph and the kernel of a method."""

import torch
from _command import typed


class Gate(torch.nn.Module):
    def forward(self, x):
        return x * torch.sigmoid(x)


gate = Gate()


def batch():
    return {"x": torch.linspace(-1, 1, 64)}


if __name__ == "__main__":
    status = typed(
        f"{__file__}:gate.forward", "--inputs", "batch", "--only", "graphs,kernels"
    )

# region checks
if __name__ == "__main__":
    assert status == 0
# endregion

# /// lesson
# needs = ["compiler"]
# env = {TORCH_LOGS = "post_grad_graphs", TORCH_LOGS_FORMAT = "%(message)s"}
# ///
"""Have torch print the graph after the passes, the one that Inductor compiles."""

import torch


def layer(x, weight, bias):
    attended = x + (1 - torch.ones(64, 64)) * -1e9
    return attended.view(4, 16, 64).view(64, 64) @ weight + bias


x = torch.randn(64, 64)
weight = torch.randn(64, 64)
bias = torch.randn(64)
with torch.no_grad():
    y = torch.compile(layer)(x, weight, bias)
# region checks
torch.testing.assert_close(y, layer(x, weight, bias), rtol=1e-4, atol=1e-4)
# endregion

# /// lesson
# raises = {type = "RuntimeError", message = "must match the size"}
# ///
"""An error that the lesson is about."""

import torch

x = torch.ones(3)
print(x + torch.ones(1))
print(x + torch.ones(4))

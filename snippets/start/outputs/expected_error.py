# /// lesson
# raises = {type = "RuntimeError", message = "must match the size"}
# ///
"""An error that the lesson is about."""

import torch

print(torch.ones(3) + torch.ones(1))
print(torch.ones(3) + torch.ones(4))

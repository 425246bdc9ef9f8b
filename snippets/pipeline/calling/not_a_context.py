# /// lesson
# raises = {type = "TypeError", message = "context manager"}
# ///
"""torch.compile() is a decorator, not a context manager."""

import torch

x = torch.ones(8)
with torch.compile(backend="eager"):
    y = x.sin() * 2

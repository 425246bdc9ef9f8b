# /// lesson
# raises = {type = "RuntimeError", message = "mode"}
# ///
"""A mode and options together are refused."""

import torch

torch.compile(torch.sin, mode="max-autotune", options={"max_autotune": True})

# /// lesson
# raises = {type = "RuntimeError", message = "both can't be specified"}
# ///
"""A mode and options together are refused."""

import torch


def softmax(x):
    return torch.softmax(x.sin(), -1)


torch.compile(softmax, mode="max-autotune", options={"emulate_precision_casts": True})

# /// lesson
# raises = {type = "RuntimeError", message = "both can't be specified"}
# ///
"""A mode together with options raises an error."""

import torch


def softmax(x):
    return torch.softmax(x.sin(), -1)


torch.compile(softmax, mode="max-autotune", options={"emulate_precision_casts": True})

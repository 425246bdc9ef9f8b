# /// lesson
# raises = {type = "ConstraintViolationError", message = "specialized it to be a constant"}
# ///
"""Marked as dynamic, but the code fixes the size."""

import logging

import torch


@torch.compile(backend="eager")
def fixed(x):
    if x.shape[0] == 4:
        return x + 1
    return x


logging.getLogger("torch._guards").disabled = True  # the same message a second time
x = torch.ones(4)
torch._dynamo.mark_dynamic(x, 0)
fixed(x)

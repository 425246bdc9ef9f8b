# /// lesson
# raises = {type = "TorchRuntimeError", message = "RuntimeError when making fake tensor call"}
# ///
"""An except block that eager mode runs, and compiled code does not."""

import torch


def scores(query, key):
    try:
        return query @ key
    except RuntimeError:  # the shapes don't match
        return query @ key.T


query, key = torch.ones(2, 3), torch.ones(4, 3)
print("eager:", tuple(scores(query, key).shape))
print("compiled:", tuple(torch.compile(scores, backend="eager")(query, key).shape))

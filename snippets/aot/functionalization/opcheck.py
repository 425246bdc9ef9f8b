# /// lesson
# raises = {type = "OpCheckError", message = "x is not defined as mutable"}
# ///
"""opcheck runs an operator and compares what it did with what it declares."""

import torch


@torch.library.custom_op("lesson::bump", mutates_args=())  # wrong: it changes x
def bump(x: torch.Tensor) -> torch.Tensor:
    x.add_(1)
    return x.sum()


torch.library.opcheck(bump, (torch.ones(1),), test_utils="test_schema")

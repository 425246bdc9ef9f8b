"""opcheck runs an operator, and compares what it did with what it declared."""

import textwrap

import torch
from torch.testing._internal.optests.generate_tests import OpCheckError


@torch.library.custom_op("lesson::bump", mutates_args=())  # not true: it changes x
def bump(x: torch.Tensor) -> torch.Tensor:
    x.add_(1)
    return x.sum()


try:
    torch.library.opcheck(bump, (torch.ones(1),), test_utils="test_schema")
except OpCheckError as error:
    reason = str(error)
    print("OpCheckError:", *textwrap.wrap(reason, 90), sep="\n")
assert "Argument x is not defined as mutable but was mutated" in reason

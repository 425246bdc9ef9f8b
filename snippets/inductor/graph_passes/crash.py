# /// lesson
# needs = ["compiler"]
# ///
"""A training step that torch 2.13 can't compile: find the pass that is at fault."""

import logging

import torch
import torch.nn.functional as F
from torch._inductor import config


# region functions
def attention(q, k, v):
    scores = q @ k.transpose(-2, -1) / 8
    return F.dropout(scores.softmax(dim=-1), 0.1) @ v


def fused(q, k, v):
    return F.scaled_dot_product_attention(q, k, v, dropout_p=0.1)


# endregion
q, k, v = torch.randn(3, 2, 4, 32, 64, requires_grad=True)
results = []
logging.disable(logging.ERROR)  # torch also logs its whole stack
for function, disabled in [(attention, ""), (attention, "pass_pattern_0"), (fused, "")]:
    torch.compiler.reset()
    config.disabled_passes = disabled
    try:
        torch.compile(function)(q, k, v)
        results.append("compiles")
    except Exception as error:
        results.append(f"{type(error).__name__}: {str(error).strip()}")
    print(
        f"{function.__name__:9} disabled: {disabled or 'nothing':14} -> {results[-1]}"
    )
# region checks
assert results == ["IndexError: list index out of range", "compiles", "compiles"]
# endregion

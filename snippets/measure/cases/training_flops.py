"""The flop of a training step: a formula, and torch's counter on the device meta."""

import torch
from _gpt2 import GPT2, LENGTH, Sizes, flops_per_token
from torch.utils.flop_counter import FlopCounterMode

with torch.device("meta"):
    model = GPT2(Sizes(vocabulary=50304))
    tokens = torch.zeros(1, LENGTH, dtype=torch.int64)
with FlopCounterMode(display=False) as counter:
    model(tokens, tokens).backward()

counted = counter.get_total_flops() / LENGTH
parameters = sum(p.numel() for p in GPT2(Sizes()).parameters())
formula = flops_per_token()
step_ms = formula * 32 * LENGTH / 989e12 * 1e3
print(f"{parameters / 1e6:.1f} million parameters")
print(f"counted {counted / 1e6:.0f} MFLOP per token, formula {formula / 1e6:.0f}")
print(f"32 x 1024 tokens at 989 TFLOP/s: {step_ms:.1f} ms")

# region checks
assert parameters == 124_439_808
assert abs(counted / formula - 1) < 0.05
# endregion

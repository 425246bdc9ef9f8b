"""The flop of a training step: a formula, and torch's counter on the device meta."""

import torch
from _gpt2 import GPT2, Sizes, flops_per_token
from torch.utils.flop_counter import FlopCounterMode

sizes = Sizes()
with torch.device("meta"):
    model = GPT2(sizes)
    tokens = torch.zeros(1, sizes.context, dtype=torch.int64)
with FlopCounterMode(display=False) as counter:
    model(tokens, tokens).backward()

counted = counter.get_total_flops() / sizes.context
parameters = sum(parameter.numel() for parameter in model.parameters())
formula = 6 * parameters + 12 * sizes.layers * sizes.width * sizes.context
step_ms = formula * 32 * 1024 / 989e12 * 1e3
print(f"{parameters / 1e6:.1f} million parameters")
print(f"counted {counted / 1e6:.0f} MFLOP per token, formula {formula / 1e6:.0f}")
print(f"32 x 1024 tokens at 989 TFLOP/s: {step_ms:.1f} ms")

# region checks
assert parameters == 124_439_808
assert formula == flops_per_token()
assert abs(counted / formula - 1) < 0.05
# endregion

# /// lesson
# needs = ["compiler"]
# ///
"""A mode's options, written out, and one more."""

from torch import equal, manual_seed, nn, ones

model, plain = nn.Dropout(), nn.Dropout()

# region copy
import torch

options = torch._inductor.list_mode_options("max-autotune") | {"fallback_random": True}
model = torch.compile(model, options=options)
# endregion
print(options)


def dropped(module):
    manual_seed(0)
    return module(ones(512))


same = equal(dropped(model), dropped(plain))
print("the same numbers are dropped as in eager mode:", same)

# region checks
torch.compiler.reset()
assert same and options["max_autotune"] is True
assert not equal(dropped(torch.compile(nn.Dropout())), dropped(plain))  # without the option
# endregion

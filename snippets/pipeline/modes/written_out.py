# /// lesson
# needs = ["compiler"]
# ///
"""A mode's options, written out, and one more."""

from torch import equal, manual_seed, nn, ones

model = nn.Dropout()
plain = nn.Dropout()

# region copy
import torch

# a documented function of a private module
options = torch._inductor.list_mode_options("max-autotune")
options["fallback_random"] = True
model = torch.compile(model, options=options)
# endregion
print(options)


def dropped(module):
    manual_seed(0)
    return module(ones(512))


same = equal(dropped(model), dropped(plain))
print("the same numbers are dropped as in eager mode:", same)

# region checks
assert same
assert options["max_autotune"] is True
torch.compiler.reset()
without_the_option = torch.compile(nn.Dropout())
assert not equal(dropped(without_the_option), dropped(plain))
# endregion

# /// lesson
# fork = false
# ///
"""The first use of torch.compile turns off the checks of torch.distributions."""

import torch
from torch.distributions import Distribution, Normal

scale = torch.tensor([1.0, -1.0])


def error_of(**options):
    """Make a distribution with a negative scale."""
    try:
        Normal(0.0, scale, **options)
    except ValueError:
        return "ValueError"
    return "no error"


before = error_of()
print("before:", before)
relu = torch.compile(torch.relu, backend="eager")
after = error_of()
print("after torch.compile:", after)
asked_for = error_of(validate_args=True)
print("validate_args=True:", asked_for)
Distribution.set_default_validate_args(True)
turned_on = error_of()
print("turned on again:", turned_on)

# region checks
assert after == "no error"
assert before == asked_for == turned_on == "ValueError"
relu(scale)  # a later compile leaves the checks on
torch.compile(torch.sigmoid, backend="eager")(scale)
assert error_of() == "ValueError"
# endregion

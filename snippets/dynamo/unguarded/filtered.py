"""A guard removed by hand, and the wrong result that follows."""

import warnings

import torch

warnings.simplefilter("error")  # a warning would end this program
temperature = 1.0


def probabilities(logits):
    return torch.softmax(logits / temperature, -1)


skip_globals = torch.compiler.skip_guard_on_globals_unsafe
filtered = torch.compile(
    probabilities, backend="eager", options={"guard_filter_fn": skip_globals}
)
without_filter = torch.compile(probabilities, backend="eager")
logits = torch.tensor([1.0, 2.0])
for temperature in (1.0, 0.1):
    print(f"temperature {temperature}:")
    print("    eager", probabilities(logits))
    print("    filtered", filtered(logits))
    print("    another compiled object", without_filter(logits))

# region checks
assert probabilities(logits)[0] < 0.01
assert filtered(logits)[0] > 0.2
assert torch.equal(without_filter(logits), filtered(logits))
# endregion

"""A guard removed by hand, and the wrong result that follows."""

import warnings

import torch

warnings.simplefilter("error")  # a warning would end this program
temperature = 1.0


def probabilities(logits):
    return torch.softmax(logits / temperature, -1)


skip_globals = torch.compiler.skip_guard_on_globals_unsafe
fast = torch.compile(probabilities, backend="eager", options={"guard_filter_fn": skip_globals})
unfiltered = torch.compile(probabilities, backend="eager")
logits = torch.tensor([1.0, 2.0])
for temperature in (1.0, 0.1):
    results = [call(logits).tolist() for call in (probabilities, fast, unfiltered)]
    print(f"temperature {temperature}:")
    for name, (first, second) in zip(("eager", "filtered", "another compiled object"), results, strict=True):
        print(f"    {name:24} {first:.4f} {second:.4f}")

# region checks
eager, filtered, other = results
assert eager[0] < 0.01 and filtered[0] == other[0] > 0.2
names = [name for name in dir(torch.compiler) if "skip_guard" in name or "keep_" in name]
assert names and all(name.endswith("unsafe") for name in names)
# endregion

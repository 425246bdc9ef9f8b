# /// lesson
# needs = ["compiler"]
# ///
"""The lines that tell whether the caches were used."""

import torch

torch.compile(torch.relu)(torch.ones(64))

# region copy
from torch._dynamo.utils import counters  # private: torch has no public counter

print({name: n for name, n in counters["aot_autograd"].items() if "cache" in name})
print({name: n for name, n in counters["inductor"].items() if "cache" in name})
# endregion

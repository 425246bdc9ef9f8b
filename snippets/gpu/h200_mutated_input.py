# /// lesson
# needs = ["gpu", "triton"]
# memory = 16384
# env = {TORCH_LOGS = "perf_hints", TORCH_LOGS_FORMAT = "%(message)s"}
# varies.output = ['/\S+/']
# ///
"""Changing an argument prevents CUDA graphs; changing a buffer doesn't."""

import torch
from torch._dynamo.utils import counters  # private: torch has no public counter


def add_to_argument(x):
    return x.add_(1)


class Counter(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("calls", torch.zeros(8))

    def forward(self, x):
        self.calls.add_(1)
        return x + self.calls


functions = {"argument": add_to_argument, "buffer": Counter().cuda()}
skips = {}
for name, function in functions.items():
    torch.compiler.reset()
    counters.clear()
    compiled = torch.compile(function, mode="reduce-overhead")
    for _ in range(3):
        compiled(torch.zeros(8, device="cuda"))
    skips[name] = counters["inductor"]["cudagraph_skips"]
    print(f"changes its {name}: {skips[name]} skipped")

# region checks
assert skips == {"argument": 1, "buffer": 0}
# endregion

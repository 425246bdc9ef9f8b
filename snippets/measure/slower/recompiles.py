# /// lesson
# env = {TORCH_LOGS = "-dynamo"}
# needs = ["compiler"]
# varies.output = ['\d[\d.,]* ms']
# varies.values = ["began", "ms"]
# ///
"""A number that changes in each call: an int triggers a compile, a tensor doesn't."""

from time import perf_counter

import torch
from torch import nn

from compile_lessons import keep_graphs


# region module
class Noisy(nn.Module):
    step = 0

    def forward(self, x):
        return torch.tanh(x) * self.step


# endregion
x = torch.randn(16, 32)
torch.compile(torch.neg)(x)  # imports and starts the compiler, which we don't time
compiles = []
for kind in (int, torch.tensor):
    kept = keep_graphs("inductor")
    model = Noisy()
    model.compile(backend=kept)
    began = perf_counter()
    for step in range(4):
        model.step = kind(step)
        with torch.inference_mode():
            model(x)
    ms = (perf_counter() - began) * 1e3
    compiles.append(len(kept.graphs))
    print(f"{kind.__name__:6}  {compiles[-1]} compiles, 4 calls take {ms:7,.1f} ms")

# region checks
assert compiles == [4, 1]
# endregion

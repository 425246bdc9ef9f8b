# /// lesson
# needs = ["compiler"]
# env = {TORCH_LOGS = "-dynamo"}
# varies.output = ['\d[\d.,]* ms']
# varies.values = ["eager_ms", "int_ms", "tensor_ms", "factor"]
# ///
"""A number that changes in each call: an int triggers a compile each time, a tensor doesn't."""

from time import perf_counter

import torch
from torch import nn

torch.set_num_threads(1)  # so that other programs on this machine disturb less


class Noisy(nn.Module):
    step = 0

    def forward(self, x):
        return torch.tanh(x) * self.step


def milliseconds(model, convert):
    began = perf_counter()
    for step in range(4):
        model.step = convert(step)
        model(x)
    return (perf_counter() - began) * 1e3


x, times, compiles = torch.randn(16, 32), {}, {}
torch.compile(torch.neg)(x)  # imports and starts the compiler, which is not what we time
with torch.inference_mode():
    for name, convert in {"eager": int, "compiled, int": int, "compiled, tensor": torch.tensor}.items():
        torch.compiler.reset()
        torch._dynamo.utils.counters.clear()
        model = Noisy()
        if name != "eager":
            model.compile()
        times[name] = milliseconds(model, convert)
        compiles[name] = torch._dynamo.utils.counters["stats"]["unique_graphs"]
        print(f"{name:16} {times[name]:9,.1f} ms for 4 calls, compiles: {compiles[name]}")
eager_ms, int_ms, tensor_ms = times.values()
factor = int_ms / eager_ms
# region checks
assert compiles == {"eager": 0, "compiled, int": 4, "compiled, tensor": 1}
# endregion

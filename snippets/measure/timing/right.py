# /// lesson
# needs = ["compiler"]
# varies.output = ['\d[\d.,]*']
# varies.values = ["low", "ratio", "high"]
# ///
"""Time a model, eager and compiled: warmed up, without gradients, with all threads, in turns, by quartiles."""

from statistics import median, quantiles

import torch
from torch import nn
from torch.utils.benchmark import Timer

torch.set_num_threads(1)  # so that other programs on this machine disturb less


class Gelu(nn.Module):
    def forward(self, x):
        return 0.5 * x * (1 + torch.tanh(0.79788 * (x + 0.044715 * x**3)))


model = nn.Sequential(nn.LayerNorm(256), nn.Linear(256, 64), nn.Linear(64, 256), Gelu()).eval()
x = torch.randn(1024, 256)

# region copy
compiled = torch.compile(model)
functions, times = {"eager": model, "compiled": compiled}, {"eager": [], "compiled": []}
with torch.inference_mode():
    compiled(x)  # compiles
    for _ in range(60):
        for name, function in functions.items():  # in turn, so that a slow moment hits both
            timer = Timer("function(x)", globals={"function": function, "x": x}, num_threads=torch.get_num_threads())
            times[name].append(timer.timeit(5).mean)
low, ratio, high = quantiles([eager / other for eager, other in zip(*times.values(), strict=True)], n=4)
for name in times:
    print(f"{name:9} {median(times[name]) * 1e6:5,.0f} µs")
print(f"eager takes {ratio:.2f} times as long, quartiles {low:.2f} to {high:.2f}")
# endregion

# region checks
with torch.inference_mode():
    torch.testing.assert_close(compiled(x), model(x))
# endregion

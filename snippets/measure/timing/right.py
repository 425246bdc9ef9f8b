# /// lesson
# needs = ["compiler"]
# varies.output = ['\d[\d.,]*']
# varies.values = ["low", "ratio", "high", "eager_s", "compiled_s"]
# ///
"""Time a model, eager and compiled: warmed up, without gradients, in turns."""

from statistics import median, quantiles

import torch
from torch import nn
from torch.utils.benchmark import Timer

torch.set_num_threads(1)  # so that other programs on this machine disturb less


class Gelu(nn.Module):
    def forward(self, x):
        return 0.5 * x * (1 + torch.tanh(0.79788 * (x + 0.044715 * x**3)))


layers = [nn.LayerNorm(256), nn.Linear(256, 64), nn.Linear(64, 256), Gelu()]
model = nn.Sequential(*layers).eval()
x = torch.randn(1024, 256)


# region copy
def seconds(function, x):
    threads = torch.get_num_threads()
    names = {"function": function, "x": x}
    return Timer("function(x)", globals=names, num_threads=threads).timeit(5).mean


compiled = torch.compile(model)
eager_times = []
compiled_times = []
with torch.inference_mode():
    compiled(x)  # compiles
    for _ in range(60):  # in turn, so that a slow moment hits both
        eager_times.append(seconds(model, x))
        compiled_times.append(seconds(compiled, x))
pairs = zip(eager_times, compiled_times, strict=True)
ratios = [eager_s / compiled_s for eager_s, compiled_s in pairs]
low, ratio, high = quantiles(ratios, n=4)
print(f"eager     {median(eager_times) * 1e6:5,.0f} µs")
print(f"compiled  {median(compiled_times) * 1e6:5,.0f} µs")
print(f"eager takes {ratio:.2f} times as long, quartiles {low:.2f} to {high:.2f}")
# endregion

# region checks
with torch.inference_mode():
    torch.testing.assert_close(compiled(x), model(x))
# endregion

# /// lesson
# needs = ["compiler"]
# varies.output = ['\d+\.\d+']
# ///
"""Time a model, eager and compiled: warmed up, without gradients, in turn."""

import torch
from torch.utils.benchmark import Timer

model = torch.nn.Sequential(torch.nn.LayerNorm(256), torch.nn.GELU(approximate="tanh"))
compiled = torch.compile(model)
x = torch.randn(1024, 256)
threads = torch.get_num_threads()
eager_timer = Timer("model(x)", globals=globals(), num_threads=threads)
timer = Timer("compiled(x)", globals=globals(), num_threads=threads)
with torch.inference_mode():
    compiled(x)  # compiles
    ratios = [eager_timer.timeit(5).mean / timer.timeit(5).mean for _ in range(60)]
quartiles = torch.tensor([0.25, 0.5, 0.75])
print("eager / compiled:", torch.tensor(ratios).quantile(quartiles))

# region checks
with torch.inference_mode():
    torch.testing.assert_close(compiled(x), model(x))
# endregion

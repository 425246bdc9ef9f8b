# /// lesson
# needs = ["compiler"]
# varies.output = ['\d[\d.,]*%?']
# varies.values = ["ratio"]
# ///
"""Time a model, eager and compiled: warmed up, without gradients, with all threads, by median and spread."""

import torch
from torch import nn
from torch.utils.benchmark import Timer

torch.set_num_threads(1)  # so that other programs on this machine disturb less
model = nn.Sequential(nn.Linear(256, 1024), nn.GELU(), nn.LayerNorm(1024), nn.Linear(1024, 256)).eval()
x = torch.randn(128, 256)

# region copy
compiled, medians = torch.compile(model), {}
with torch.inference_mode():
    compiled(x)  # compiles
    for name, function in {"eager": model, "compiled": compiled}.items():
        timer = Timer("function(x)", globals={"function": function, "x": x}, num_threads=torch.get_num_threads())
        times = timer.blocked_autorange(min_run_time=0.5)
        medians[name] = times.median
        print(
            f"{name:9} {times.median * 1e6:5.0f} µs, spread {times.iqr / times.median:.0%}, {len(times.times)} samples"
        )
# endregion
ratio = medians["eager"] / medians["compiled"]
print(f"eager takes {ratio:.2f} times as long")

# region checks
with torch.inference_mode():
    torch.testing.assert_close(compiled(x), model(x))
# endregion

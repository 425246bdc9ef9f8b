# /// lesson
# fork = false
# varies.output = ['\d+\.\d+', '(?m)^\w{3} \w{3}.*\d{4} ']
# ///
"""Which of your functions takes Dynamo's time: read the profile that it writes."""

import contextlib
import io
import os
import pstats
import tempfile
from pathlib import Path

profile = Path(tempfile.mkdtemp()) / "dynamo.prof"
os.environ["TORCH_COMPILE_DYNAMO_PROFILER"] = str(profile)  # before torch is imported
import torch
from torch import nn


def sine_table(length):
    rows = []
    for position in range(length):
        angles = torch.arange(16) * (position / 10)
        rows.append(angles.sin())
    return torch.stack(rows)


class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList(nn.Linear(16, 16) for _ in range(4))

    def forward(self, x):
        x = x + sine_table(len(x))
        for layer in self.layers:
            x = torch.relu(layer(x))
        return x


model = torch.compile(Encoder(), backend="eager")
with contextlib.redirect_stdout(io.StringIO()):  # the same table, with longer paths
    model(torch.ones(256, 16))
stats = pstats.Stats(str(profile)).strip_dirs()
stats.sort_stats("cumtime").print_stats("profiler.py")

# region checks
calls = {}
for (file, _, name), (_, count, *_) in stats.stats.items():
    if file == "profiler.py":
        calls[name] = count
assert calls == {"forward": 1, "sine_table": 1}
# endregion

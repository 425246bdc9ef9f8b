# /// lesson
# needs = ["compiler"]
# varies.output = ['(?s).+']
# ///
"""Profile one call: the row Torch-Compiled Region is compiled code."""

import torch
from _quiet import quiet
from torch import nn

model = nn.Sequential(nn.Linear(64, 256), nn.GELU(), nn.Linear(256, 64))
model = torch.compile(model)
x = torch.ones(64, 64)
with quiet():
    # region copy
    from torch.profiler import profile

    model(x)  # the first call compiles
    with profile() as run:
        model(x)
    # look for "Torch-Compiled Region"
    print(run.key_averages().table(sort_by="cpu_time_total", row_limit=10))
    # endregion

# region checks
names = [event.key for event in run.key_averages()]
assert any(name.startswith("Torch-Compiled Region") for name in names)
# endregion

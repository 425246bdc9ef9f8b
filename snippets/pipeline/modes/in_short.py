# /// lesson
# needs = ["compiler"]
# ///
"""reduce-overhead in a loop: mark each step, and clone an output that you keep."""

from torch import nn, ones, testing


class Model(nn.Module):
    def forward(self, x):
        return x.sin() * 2


model = Model()
batches = [ones(2, 4), ones(2, 4) * 2]

# region copy
import torch

model.compile(mode="reduce-overhead")
for batch in batches:
    torch.compiler.cudagraph_mark_step_begin()
    output = model(batch).clone()  # the next step may overwrite the output
# endregion

# region checks
testing.assert_close(output, Model()(batches[-1]))
# endregion

# Ten calls need 10 compiles

import torch
import torch._dynamo

torch._dynamo.config.recompile_limit = 64


class Smooth(torch.nn.Module):
    """The average of all calls so far, where a call counts with the mean of the first `window` rows."""

    def __init__(self, width=8):
        super().__init__()
        self.step = 0
        self.register_buffer("average", torch.zeros(width))

    def forward(self, x, window):
        self.step += 1
        total = torch.zeros_like(x[0])
        for row in range(window):
            total = total + x[row]
        self.average += (total / window - self.average) / self.step
        return self.average.clone()

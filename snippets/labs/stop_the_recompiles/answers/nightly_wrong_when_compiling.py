# asks `torch.compiler.is_compiling()`

import torch


class Smooth(torch.nn.Module):
    """The average of all calls so far, where a call counts with the mean of the first `window` rows."""

    def __init__(self, width=8):
        super().__init__()
        self.register_buffer("step", torch.tensor(0))
        self.register_buffer("average", torch.zeros(width))

    def forward(self, x, window):
        if torch.compiler.is_compiling():
            return x.mean(dim=0)
        self.step += 1
        self.average += (x[:window].sum(dim=0) / window - self.average) / self.step
        return self.average.clone()

# Among the guards that failed

import torch


class Smooth(torch.nn.Module):
    """The average of all calls so far, where a call counts with the mean of the first `window` rows."""

    def __init__(self, width=8):
        super().__init__()
        self.step = 0
        self.register_buffer("average", torch.zeros(width))

    def forward(self, x, window):
        self.step += 1
        self.average += (x[:window].sum(dim=0) / window - self.average) / self.step
        return self.average.clone()

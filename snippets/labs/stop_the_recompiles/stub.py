# /// lesson
# data = ["checks.py", "lab.toml"]
# ///
"""Stop the recompiles: this module compiles again in almost every call, and
reaches the recompile limit.

Change `Smooth` so that ten calls with ten different windows need at most three
compiles. Everything else stays: each call returns the same average, `average`
and `step` have the same values after it, and all calls run compiled.
"""

import torch

from compile_lessons.labs import check


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


if __name__ == "__main__":
    check("stop_the_recompiles", __file__)

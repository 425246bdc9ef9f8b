# /// lesson
# data = ["checks.py", "lab.toml"]
# ///
"""Stop the recompiles: this module compiles again in almost every call, and
reaches the recompile limit.

Change `Smooth` so that ten calls with ten different windows need at most three
compiles. Everything else stays the same: what each call returns, the values of
`average` and `step` after each call, and that all calls run compiled.
"""

import torch

from compile_lessons.labs import check


class Smooth(torch.nn.Module):
    """The average, over all calls so far, of the mean of the first `window` rows."""

    def __init__(self, width=8):
        super().__init__()
        self.register_buffer("step", torch.tensor(0))
        self.register_buffer("average", torch.zeros(width))

    def forward(self, x, window):
        self.step += 1
        self.average += (x[:window].sum(dim=0) / window - self.average) / self.step
        return self.average.clone()


if __name__ == "__main__":
    check("stop_the_recompiles", __file__)

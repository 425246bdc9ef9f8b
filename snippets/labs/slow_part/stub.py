# /// lesson
# data = ["checks.py", "lab.toml"]
# ///
"""Find the slow part: profile this audio model, name the part that takes most
of the time, and make that part faster.

1. Replace the `...` in SLOW with the name of the part that takes the most time,
   as it is in the model's ModuleDict.
2. Change that part so that it calls at most 100 operators, for recordings of
   any length. Its result stays the same.
"""

import torch
from torch.nn import Linear
from torch.profiler import record_function

from compile_lessons.labs import check

torch.set_num_threads(1)  # so that other programs on this machine disturb less


class Loudness(torch.nn.Module):
    """Divide each energy by its moving average, so that loudness cancels out (PCEN)."""

    def forward(self, energy):
        level = energy[:, 0]
        levels = []
        for frame in energy.unbind(dim=1):
            level = 0.96 * level + 0.04 * frame
            levels.append(level)
        level = torch.stack(levels, dim=1)
        return (energy / (0.001 + level) ** 0.9 + 2).sqrt() - 2**0.5


class Attention(torch.nn.Module):
    """Four heads that look at all frames."""

    def __init__(self):
        super().__init__()
        self.heads = torch.nn.ModuleList(Linear(32, 24) for _ in range(4))

    def forward(self, x):
        results = []
        for head in self.heads:
            q, k, v = head(x).chunk(3, dim=-1)
            results.append(torch.softmax(q @ k.mT, dim=-1) @ v)
        return x + torch.cat(results, dim=-1)


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        parts = {
            "spectrum": torch.nn.Sequential(
                Linear(64, 256), torch.nn.ReLU(), Linear(256, 32), torch.nn.Softplus()
            ),
            "loudness": Loudness(),
            "attention": Attention(),
            "head": Linear(32, 10),
        }
        self.parts = torch.nn.ModuleDict(parts)

    def forward(self, x):
        for name, part in self.parts.items():
            with record_function(name):
                x = part(x)
        return x.mean(dim=1)


SLOW = ...


if __name__ == "__main__":
    check("slow_part", __file__)

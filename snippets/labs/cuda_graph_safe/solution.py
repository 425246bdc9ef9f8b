# /// lesson
# data = ["checks.py", "lab.toml"]
# ///
"""Make this decoder safe for CUDA graphs: it changes an argument, keeps
outputs, and needs many recordings.

Change `Decoder` and `generate` so that they work with
`mode="reduce-overhead"`: one recording serves every position, and no result is
overwritten. `generate(model, x, steps)` returns the same tensor as now. You
don't need a GPU: the checks run the compiled model as a replay would, with
inputs and outputs at fixed addresses.
"""

import torch

from compile_lessons.labs import check


class Decoder(torch.nn.Module):
    """An attention layer, called token by token, that keeps earlier keys and values."""

    def __init__(self, width=16, tokens=12):
        super().__init__()
        self.width = width
        self.tokens = tokens
        self.qkv = torch.nn.Linear(width, 3 * width, bias=False)
        self.out = torch.nn.Linear(width, width, bias=False)
        self.register_buffer("cache", torch.zeros(2, tokens, width))

    def forward(self, x, position):
        q, k, v = self.qkv(x).chunk(3, dim=-1)
        self.cache.index_copy_(1, position, torch.stack([k, v])[:, None])
        keys, values = self.cache
        later = torch.arange(self.tokens, device=x.device) > position
        weights = torch.softmax((keys @ q / 4).masked_fill(later, float("-inf")), dim=0)
        return x + self.out(weights @ values)


@torch.no_grad()
def generate(model, x, steps):
    """Feed the model its own output, and return the results of all steps."""
    results = []
    for position in torch.arange(steps, device=x.device).split(1):
        x = model(x, position).clone()
        results.append(x)
    return torch.stack(results)


if __name__ == "__main__":
    check("cuda_graph_safe", __file__)

# The line has to describe the original input

import torch
import torch._dynamo

LIMIT = 4.0
torch._dynamo.config.reorderable_logging_functions.add(print)


class FeedForward(torch.nn.Module):
    """A residual block that scales large inputs down and skips a batch that has overflowed."""

    def __init__(self, width=8):
        super().__init__()
        self.up = torch.nn.Linear(width, 4 * width, bias=False)
        self.down = torch.nn.Linear(4 * width, width, bias=False)

    def forward(self, x):
        finite = torch.isfinite(x).all()
        clean = torch.where(finite, x, 0.0)
        print("largest input:", clean.abs().max())
        scale = LIMIT / clean.detach().abs().max().clamp(min=LIMIT)
        hidden = torch.nn.functional.gelu(self.up(clean * scale))
        return x + torch.where(finite, self.down(hidden), 0.0)

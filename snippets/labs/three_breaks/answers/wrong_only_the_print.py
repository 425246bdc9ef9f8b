# Keep the tensor

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
        largest = x.abs().max().item()
        print("largest input:", largest)
        if not torch.isfinite(x).all():
            return x
        scale = LIMIT / largest if largest > LIMIT else 1.0
        hidden = torch.nn.functional.gelu(self.up(x * scale))
        return x + self.down(hidden)

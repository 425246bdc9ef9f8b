# /// lesson
# data = ["checks.py", "lab.toml"]
# ///
"""Remove three breaks: Dynamo cuts this feed-forward block into pieces.

Change `FeedForward` so that Dynamo makes one graph, without a break.
Everything else stays the same: results, gradients and the line that each call
prints. A batch with inf or nan is still returned unchanged, and adds nothing to
the weights' gradients.
"""

import torch
import torch._dynamo

from compile_lessons.labs import check

LIMIT = 4.0
torch._dynamo.config.reorderable_logging_functions.add(print)


class FeedForward(torch.nn.Module):
    """A residual block that scales large inputs down and skips overflowed batches."""

    def __init__(self, width=8):
        super().__init__()
        self.up = torch.nn.Linear(width, 4 * width, bias=False)
        self.down = torch.nn.Linear(4 * width, width, bias=False)

    def forward(self, x):
        print("largest input:", x.abs().max())
        finite = torch.isfinite(x).all()
        clean = torch.where(finite, x, 0.0)
        scale = LIMIT / clean.detach().abs().max().clamp(min=LIMIT)
        hidden = torch.nn.functional.gelu(self.up(clean * scale))
        return x + torch.where(finite, self.down(hidden), 0.0)


if __name__ == "__main__":
    check("three_breaks", __file__)

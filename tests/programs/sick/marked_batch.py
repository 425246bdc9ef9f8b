"""Scores batches of any size: the batch is marked as dynamic, and added to a table for the largest batch."""

import torch


class Scorer(torch.nn.Module):
    def __init__(self, largest=8, width=16):
        super().__init__()
        self.layer = torch.nn.Linear(width, width)
        self.register_buffer("shift", torch.linspace(0, 1, width).expand(largest, width).clone())

    def forward(self, x):
        return self.layer(x) + self.shift  # finding: compile-failed


torch.manual_seed(0)
scorer = Scorer()
compiled = torch.compile(scorer, backend="aot_eager")
optimizer = torch.optim.SGD(scorer.parameters(), lr=0.1)
for size in (8, 4, 2):
    batch = torch.randn(size, 16)
    torch._dynamo.mark_dynamic(batch, 0)
    compiled(batch).square().mean().backward()
    optimizer.step()
    optimizer.zero_grad()

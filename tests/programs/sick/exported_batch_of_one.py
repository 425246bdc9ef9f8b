"""The batch of an exported model may vary, and the example is a batch of 1."""

import torch
from torch.export import Dim, export


class Head(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = torch.nn.Linear(4, 2)

    def forward(self, images):
        return self.linear(images).softmax(-1)


example = torch.ones(1, 4)
program = export(Head(), (example,), dynamic_shapes={"images": {0: Dim.AUTO}})  # finding: exported-constant
program.module()(torch.ones(1, 4))

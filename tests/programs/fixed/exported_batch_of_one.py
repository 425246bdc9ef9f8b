"""The example is a batch of 2."""

import torch
from torch.export import Dim, export


class Head(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = torch.nn.Linear(4, 2)

    def forward(self, images):
        return self.linear(images).softmax(-1)


example = torch.ones(2, 4)
program = export(Head(), (example,), dynamic_shapes={"images": {0: Dim.AUTO}})
program.module()(torch.ones(5, 4))

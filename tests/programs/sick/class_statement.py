"""A forward defines the class of its result, as code that was moved out of a notebook does."""

import dataclasses

import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.embed, self.head = torch.nn.Linear(4, 4), torch.nn.Linear(4, 2)

    def forward(self, x):
        hidden = self.embed(x).relu()

        @dataclasses.dataclass
        class Output:  # finding: graph-break
            hidden: torch.Tensor
            logits: torch.Tensor

        return Output(hidden, self.head(hidden))


net = torch.compile(Net(), backend="eager")
for _ in range(12):
    net(torch.ones(4, 4)).logits.sum().backward()

"""The class of the result is defined once, outside of the forward that is compiled."""

import dataclasses

import torch


@dataclasses.dataclass
class Output:
    hidden: torch.Tensor
    logits: torch.Tensor


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.embed, self.head = torch.nn.Linear(4, 4), torch.nn.Linear(4, 2)

    def forward(self, x):
        hidden = self.embed(x).relu()
        return Output(hidden, self.head(hidden))


net = torch.compile(Net(), backend="eager")
for _ in range(12):
    net(torch.ones(4, 4)).logits.sum().backward()
